"""Where the page is served: what may be said for it, and whose name a request may bear."""

import pytest

from statusbar.web import address
from statusbar.web.address import Address

EVERYWHERE = "0.0.0.0"  # noqa: S104 - nothing is bound
OWN = frozenset({"box", "box.local"})


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("127.0.0.1:80", Address("127.0.0.1", 80)),
        ("7000", Address("127.0.0.1", 7000)),
        (EVERYWHERE, Address(EVERYWHERE, 7414)),
        ("[::1]:9", Address("::1", 9)),
        ("::1", Address("::1", 7414)),
        ("[::]", Address("::", 7414)),
        ("Box.local", Address("box.local", 7414)),
        ("localhost:0", Address("localhost", 0)),
    ],
)
def test_a_host_a_port_or_both_are_understood(words: str, found: Address) -> None:
    assert address.parse(words) == found
    assert address.parse(str(found)) == found


@pytest.mark.parametrize(
    "words", ["", ":", ":80", "a b", "host:", "host:99999", "host:1e3", "a/b", "[::1", "\x01", "h:\uff18"]
)
def test_anything_else_is_not(words: str) -> None:
    with pytest.raises(ValueError, match=r"^|.*$"):
        address.parse(words)


@pytest.mark.parametrize(
    "host", ["127.0.0.1:7414", "LOCALHOST:7414", "localhost.:7414", "[::1]:7414", "127.0.0.2:7414"]
)
def test_on_this_machine_every_name_of_it_may_be_meant(host: str) -> None:
    assert Address("127.0.0.1", 7414).is_named(host, OWN)


@pytest.mark.parametrize(
    "host",
    ["", "evil.example:7414", "127.0.0.1:7415", "127.0.0.1", "127.0.0.1.evil.example:7414", "box:7414",
     "192.168.1.5:7414", "localhost@evil.example:7414", "127.0.0.1:7414:7414", "[127.0.0.1]evil:7414"],
)  # fmt: skip
def test_no_other_name_may_even_if_it_leads_here(host: str) -> None:
    """As after DNS rebinding."""
    assert not Address("127.0.0.1", 7414).is_named(host, OWN)


def test_in_a_network_an_address_or_the_machines_own_name_may_be_meant_and_no_other_name() -> None:
    everywhere = Address(EVERYWHERE, 80)
    for host in ("192.168.1.5:80", "192.168.1.5", "[fe80::1]:80", "box.local", "BOX:80"):
        assert everywhere.is_named(host, OWN), host
    for host in ("evil.example", "evil.example:80", "192.168.1.5:81", "box.evil.example"):
        assert not everywhere.is_named(host, OWN), host
    one = Address("192.168.1.5", 7414)
    assert one.is_named("192.168.1.5:7414", OWN)
    assert one.is_named("box:7414", OWN)
    assert not one.is_named("192.168.1.6:7414", OWN)


@pytest.mark.parametrize(
    ("host", "alone"), [("127.0.0.1", True), ("127.8.8.8", True), ("::1", True), ("localhost", True),
                        (EVERYWHERE, False), ("::", False), ("192.168.1.5", False), ("box", False)],
)  # fmt: skip
def test_who_can_reach_it_is_known(host: str, alone: bool) -> None:
    assert Address(host, 1).is_loopback == alone


def test_this_machine_has_names_and_an_address() -> None:
    assert all(name == name.lower() and " " not in name for name in address.own_names())
    assert address.outward()
