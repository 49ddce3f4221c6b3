"""`yourturn share` and `yourturn hosts add --broker` as they are typed, with the collector that they start."""

import contextlib
import json
import os
import signal
import stat
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from contract import collector_launch, hosts, paths, status, store
from contract.status import NEEDS_APPROVAL, WAITING, WORKING
from support.brokers import OPEN, Anyone, Broker
from support.command import YOURTURN, yourturn
from support.fleets import Box, Desk, log
from support.needs import need
from support.patience import until
from support.project import PROJECT
from support.showing import environ

pytestmark = pytest.mark.series  # with `make test-clients`

HIDDEN = "hunter2"


@contextlib.contextmanager
def collector(home: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A real collector process, which ends with the test."""
    store.private_folder(str(home))
    with subprocess.Popen([*YOURTURN, "collect"], env=environ(home), cwd=PROJECT) as process:
        try:
            yield process
        finally:
            process.terminate()
            process.wait()


def says(home: Path, *words: str, code: int = 0) -> str:
    done = yourturn(home, *words)
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def test_share_on_one_machine_and_hosts_add_on_another(box: Box, desk: Desk, broker: Broker) -> None:
    box.has(one=WORKING)
    said = says(box.home, "share", broker.url, "--owner", "me", "--host", "box")
    assert "states and project names, no details and no folders" in said
    added = says(desk.home, "hosts", "add", "hub", "--broker", broker.url, "--owner", "me")
    assert "1 machine is there" in added
    with collector(box.home) as first, collector(desk.home):
        desk.shows({"one@box": WORKING})
        until(lambda: "1 session" in says(box.home, "share"))
        assert "hub (broker)  answers" in says(desk.home, "hosts")
        found = json.loads(says(desk.home, "status", "--json"))
        assert [(one["session_id"], one["host"]) for one in found["sessions"]] == [("one", "box")]
        first.send_signal(signal.SIGKILL)
        desk.misses("box", "its connection to the broker is cut")
        first.wait()
        box.has(one=WAITING)
        with collector(box.home):
            desk.shows({"one@box": WAITING})
            says(box.home, "share", "off")
            until(lambda: not desk.hosts, lambda: str(desk.hosts))
        says(desk.home, "hosts", "remove", "hub")
        until(lambda: not os.path.exists(paths.broker_connection(str(desk.home), "hub")))


def test_a_collector_that_was_killed_leaves_nothing_that_looks_alive(box: Box, desk: Desk, broker: Broker) -> None:
    box.has(one=WORKING)
    says(box.home, "share", broker.url, "--owner", "me", "--host", "box")
    says(desk.home, "hosts", "add", "hub", "--broker", broker.url, "--owner", "me")
    with collector(box.home):
        with collector(desk.home) as killed:
            desk.shows({"one@box": WORKING})
            killed.kill()
            killed.wait()
        broker.end(signal.SIGKILL)
        with collector(desk.home):
            until(lambda: desk.connection.why and not desk.connection.reached)
            assert not desk.speaks("box")
            broker.start()
            desk.shows({"one@box": WORKING})


def test_share_off_without_a_collector_takes_back_what_the_broker_keeps(box: Box, broker: Broker) -> None:
    box.has(one=WORKING)
    says(box.home, "share", broker.url, "--owner", "me", "--host", "box")
    with collector(box.home):
        until(lambda: box.connection.sessions == 1)
    with Anyone(broker).listens() as anyone:
        until(lambda: len(anyone.kept) == 2)
        assert "Nothing is shared any more" in says(box.home, "share", "off")
        until(lambda: set(anyone.kept.values()) == {b""})
    assert "shares nothing" in says(box.home, "share")
    assert not os.path.exists(hosts.shared(hosts.chosen(environ(box.home))))


def test_share_off_says_if_the_broker_cannot_be_told_also_beside_a_collector(box: Box, broker: Broker) -> None:
    box.has(one=WORKING)
    says(box.home, "share", broker.url, "--owner", "me", "--host", "box")
    with collector(box.home):
        until(lambda: box.connection.sessions == 1)
        broker.end()
        said = says(box.home, "share", "off")
    assert "Nothing is shared any more" in said
    assert "It keeps what it was told of this machine for up to a week." in said


def test_what_an_earlier_life_has_left_is_taken_back_too(box: Box, broker: Broker) -> None:
    """A collector that was killed has said nothing of its end, and the next one knows nothing of old sessions."""
    with Anyone(broker).listens() as anyone:
        for session in ("old", "older"):
            anyone.says(box.sharing.place.session(session), b'{"v": 1}')
        says(box.home, "share", broker.url, "--owner", "me", "--host", "box")
        says(box.home, "share", "off")
        until(lambda: set(anyone.kept.values()) == {b""}, lambda: str(anyone.kept))


def test_a_machine_that_took_over_the_name_keeps_what_it_shares(box: Box, broker: Broker) -> None:
    says(box.home, "share", broker.url, "--owner", "me", "--host", "box")
    with Anyone(broker).listens() as other:
        other.says(box.sharing.place.about, b'{"v": 1, "online": true, "run": "another"}')
        assert "another machine shares under the name box" in says(box.home, "share", "off")
        assert all(other.kept.values())


def test_a_change_of_what_is_shared_is_taken_up_at_once(box: Box, broker: Broker) -> None:
    box.has(one=NEEDS_APPROVAL)
    with Anyone(broker).listens() as anyone:
        says(box.home, "share", broker.url, "--owner", "me", "--host", "box")
        with collector(box.home):
            topic = "yourturn/v1/me/box/session/one"
            until(lambda: json.loads(anyone.kept.get(topic) or b"{}").get("cwd") == "one")
            says(box.home, "share", broker.url, "--owner", "me", "--host", "box", "--details", "folders")
            until(lambda: json.loads(anyone.kept[topic] or b"{}").get("cwd") == "/home/me/one")


@pytest.mark.parametrize("words", [("share",), ("hosts", "add", "hub", "--broker")])
def test_a_password_in_the_url_is_refused_with_the_reason(tmp_path: Path, words: tuple[str, ...]) -> None:
    said = says(tmp_path, *words, f"mqtts://me:{HIDDEN}@hub.example", code=2)
    assert "list of processes" in said
    assert HIDDEN not in said
    assert not list(tmp_path.glob("*.toml"))


@pytest.mark.parametrize("words", [("share",), ("hosts", "add", "hub", "--broker")])
def test_a_connection_that_others_can_listen_to_must_be_wanted_and_is_said_loudly(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    assert "--insecure" in says(tmp_path, *words, "mqtt://192.0.2.1:1", code=2)
    assert "WARNING" in says(tmp_path, *words, "mqtt://127.0.0.2.invalid:1", "--insecure", "--anyway")


@pytest.mark.parametrize("words", [("share",), ("hosts", "add", "hub", "--broker")])
def test_a_broker_that_does_not_answer_is_not_used_unless_it_is_wanted(tmp_path: Path, words: tuple[str, ...]) -> None:
    home, nobody = tmp_path / "home", Broker(tmp_path / "broker", OPEN)
    assert "refused" in says(home, *words, nobody.url, code=1)
    assert not list(home.glob("*.toml"))
    says(home, *words, nobody.url, "--anyway")
    (file,) = home.glob("*.toml")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_credentials_are_in_no_argument_no_setting_no_log_and_no_error(tmp_path: Path) -> None:
    need("mosquitto_passwd")
    passwords = tmp_path / "passwords"
    subprocess.run(["mosquitto_passwd", "-b", "-c", str(passwords), "box", HIDDEN], check=True, capture_output=True)
    who = tmp_path / "who.toml"
    who.write_text(f'user = "box"\npassword = "{HIDDEN}"\n')
    who.chmod(0o600)
    home = tmp_path / "home"
    with Broker(tmp_path / "broker", "allow_anonymous false", f"password_file {passwords}") as broker:
        refused = says(home, "share", broker.url, "--host", "box", code=1)
        said = says(home, "share", broker.url, "--host", "box", "--credentials", str(who))
        with collector(home) as process:
            until(lambda: "The broker answers" in says(home, "share"))
            words = " ".join(psutil.Process(process.pid).cmdline())
            variables = json.dumps(psutil.Process(process.pid).environ())
            who.write_text(f'user = "box"\npassword = "not {HIDDEN}"\n')
            broker.end()
            broker.start()
            until(lambda: "refuses us" in says(home, "share"), lambda: says(home, "share"))
        written = "".join(path.read_text() for path in home.rglob("*") if path.is_file())
        assert HIDDEN not in refused + said + words + variables + written + log(home)
        assert "share" in log(home)


def test_a_file_that_cannot_be_read_is_named_and_nothing_changes(tmp_path: Path) -> None:
    store.private_folder(str(tmp_path))
    (tmp_path / "share.toml").write_text("broker = 7\n")
    assert f"{tmp_path}/share.toml: broker" in says(tmp_path, "share", code=1)


@pytest.mark.parametrize(
    "words",
    [
        ("share", "mqtts://hub", "--host", "../x"), ("share", "mqtts://hub", "--owner", "a/b"),
        ("share", "mqtts://hub", "--host", "total"), ("share", "http://hub"),
        ("hosts", "add", "hub"), ("hosts", "add", "hub", "ssh hub", "--broker", "mqtts://hub"),
        ("hosts", "add", "--broker", "mqtts://hub", "--owner", "a/b"),
        ("hosts", "add", "--broker", "mqtts://hub", "--owner", "*", "--total"),
        ("hosts", "add", "--broker", "mqtts://hub", "--install"), ("hosts", "add", "box", "ssh box", "--total"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_wrong_usage_is_code_2_and_changes_nothing(tmp_path: Path, words: tuple[str, ...]) -> None:
    assert says(tmp_path, *words, code=2).startswith("yourturn: ")
    assert not list(tmp_path.glob("*.toml"))


def test_without_the_package_the_way_to_get_it_is_said(tmp_path: Path) -> None:
    code = "import sys; sys.modules['paho'] = None; import yourturn; sys.exit(yourturn.main())"
    for words in (["share", "mqtts://hub"], ["hosts", "add", "hub", "--broker", "mqtts://hub"]):
        argv = [YOURTURN[0], "-c", code, *words]
        done = subprocess.run(argv, env=environ(tmp_path), cwd=PROJECT, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (1, "")
        assert "add paho-mqtt: " in done.stderr


def test_share_as_json(tmp_path: Path) -> None:
    assert json.loads(says(tmp_path, "share", "--json")) == {"v": 1, "shared": None}
    says(tmp_path, "share", "mqtt://127.0.0.1:1", "--host", "box", "--owner", "me", "--anyway")
    told = json.loads(says(tmp_path, "share", "--json"))["shared"]
    assert (told["owner"], told["host"], told["details"]) == ("me", "box", "states")


def test_a_collector_that_only_shares_ends_when_nothing_is_shared(box: Box, broker: Broker) -> None:
    says(box.home, "share", broker.url, "--owner", "me", "--host", "box")
    with collector(box.home) as process:
        until(lambda: box.connection.reached)
        beat = store.read(paths.collector(str(box.home)))
        assert status.decode_heartbeat(beat or b"")
        says(box.home, "share", "off")
        until(lambda: process.poll() == 0)


def test_the_watcher_of_a_machine_that_nobody_looks_at_starts_to_share_again(box: Box, broker: Broker) -> None:
    """After a restart of the machine the next hook starts a watcher, and that whoever shares."""
    says(box.home, "share", broker.url, "--owner", "me", "--host", "box")
    with collector(box.home):
        until(lambda: box.connection.reached)
    home, env = str(box.home), {**environ(box.home), "YOURTURN_NO_WATCHER": ""}
    assert collector_launch.share(home, environ(box.home), time.time()) == 0, "where nothing may be started"
    pid = collector_launch.share(home, env, time.time())
    assert pid
    try:
        until(lambda: box.connection.reached)
    finally:
        os.kill(pid, signal.SIGTERM)
        os.waitpid(pid, 0)
    says(box.home, "share", "off")
    assert collector_launch.share(home, env, time.time()) == 0
