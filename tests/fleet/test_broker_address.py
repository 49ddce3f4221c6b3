"""The address of a broker: what may be in it, and what may not."""

import pytest

from fleet import broker_address
from fleet.broker_address import Address

HIDDEN = "hunter2"


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("mqtts://hub.example", Address("hub.example", 8883, is_encrypted=True)),
        ("mqtts://hub.example:8884/", Address("hub.example", 8884, is_encrypted=True)),
        ("mqtt://127.0.0.1", Address("127.0.0.1", 1883, is_encrypted=False)),
        ("mqtt://[::1]:1884", Address("::1", 1884, is_encrypted=False)),
        ("mqtt://localhost", Address("localhost", 1883, is_encrypted=False)),
    ],
)
def test_an_address_has_a_host_and_a_port(url: str, address: Address) -> None:
    assert broker_address.wrong(url) == ""
    assert broker_address.of(url) == address


@pytest.mark.parametrize("url", [f"mqtts://me:{HIDDEN}@hub.example", f"mqtts://{HIDDEN}@hub", f"mqtt://:{HIDDEN}@::1"])
def test_a_password_in_it_is_refused_and_not_repeated(url: str) -> None:
    wrong = broker_address.wrong(url, insecure=True)
    assert "--credentials" in wrong
    assert HIDDEN not in wrong


@pytest.mark.parametrize(
    "url", ["", "hub.example", "https://hub.example", "mqtts://", "mqtts://hub:x", "mqtts://hub:99999", "mqtts://hub/a",
            "mqtts://hub?x=1", "mqtts://[hub", "mqtts://hub:0"],
)  # fmt: skip
def test_what_is_no_address_is_refused(url: str) -> None:
    assert "mqtts://HOST" in broker_address.wrong(url)


@pytest.mark.parametrize("url", ["mqtt://hub.example", "mqtt://192.168.1.7", "mqtt://localhost.example"])
def test_without_encryption_only_this_machine_is_spoken_to_unless_it_is_wanted(url: str) -> None:
    assert "--insecure" in broker_address.wrong(url)
    assert broker_address.wrong(url, insecure=True) == ""
    assert broker_address.of(url).is_open
