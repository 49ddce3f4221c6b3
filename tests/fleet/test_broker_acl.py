"""The recipe of docs/MACHINES.md for a team: the very files of the page, with TLS, passwords and an access list."""

import json
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from contract.status import NEEDS_APPROVAL, WORKING
from fleet import outgoing, topics
from fleet.topics import Place
from support.brokers import Anyone, Broker, at_work
from support.certificates import Authority
from support.fleets import Box, Desk, watched
from support.needs import need
from support.patience import until
from support.project import PROJECT

pytestmark = pytest.mark.series  # with `make test-clients`

PAGE = (PROJECT / "docs/MACHINES.md").read_text(encoding="utf-8")
USERS = ("box-1", "box-2", "ada", "desk", "lamp")
HIDDEN = "hunter2"


def block(language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


class Hub:
    """The broker of the page. Only paths and the port are others."""

    def __init__(self, folder: Path) -> None:
        need("mosquitto_passwd")
        folder.mkdir(mode=0o700)
        self.folder = folder
        self.authority = Authority(folder / "authority")
        signed = self.authority.sign("localhost")
        (folder / "hub.crt").write_text(Path(signed.certificate).read_text())
        (folder / "hub.key").write_text(Path(signed.key).read_text())
        (folder / "acl").write_text(block("acl"))
        for user in USERS:
            fresh = [] if (folder / "passwords").exists() else ["-c"]
            argv = ["mosquitto_passwd", *fresh, "-b", str(folder / "passwords"), user, HIDDEN]
            subprocess.run(argv, check=True, capture_output=True)
        lines = block("conf").replace("/etc/mosquitto", str(folder)).splitlines()
        assert lines[0] == "listener 8883"
        self.broker = Broker(folder / "broker", *lines[1:])

    def credentials(self, user: str, password: str = HIDDEN) -> str:
        path = self.folder / f"{user}-{len(password)}.toml"
        path.write_text(f'user = "{user}"\npassword = "{password}"\n')
        path.chmod(0o600)
        return str(path)

    def box(self, home: Path, host: str, user: str = "", **more: str) -> Box:
        given = {"credentials": self.credentials(user or host), "ca": self.authority.certificate, **more}
        box = Box(home, self.broker, host, url=self.broker.secure_url, **given)
        box.sharing = box.sharing._replace(owner="team")
        return box

    def desk(self, home: Path, user: str, **more: object) -> Desk:
        own = {"credentials": self.credentials(user), "ca": self.authority.certificate, "url": self.broker.secure_url}
        return Desk(home, self.broker, owner="team", **{**own, **more})

    def anyone(self, user: str) -> Anyone:
        return Anyone(self.broker, user, HIDDEN, ca_certs=self.authority.certificate)


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    made = Hub(tmp_path / "hub")
    with made.broker:
        yield made


def test_boxes_share_and_a_board_shows_them(hub: Hub, tmp_path: Path) -> None:
    boxes = [hub.box(tmp_path / name, name) for name in ("box-1", "box-2")]
    desk = hub.desk(tmp_path / "desk", "ada")
    for box in boxes:
        box.has(one=WORKING)
    with watched(*boxes), at_work(boxes[0].share(), boxes[1].share(), desk.watch()):
        desk.shows({"one@box-1": WORKING, "one@box-2": WORKING}, "box-2")
        assert desk.speaks("box-1")


def test_a_box_cannot_write_another_boxs_topics(hub: Hub, tmp_path: Path) -> None:
    honest, desk = hub.box(tmp_path / "box-1", "box-1"), hub.desk(tmp_path / "desk", "ada")
    honest.has(one=WORKING)
    with watched(honest), at_work(honest.share(), desk.watch()), hub.anyone("box-2") as evil:
        desk.shows({"one@box-1": WORKING}, "box-1")
        place = Place("team", "box-1")
        evil.says(place.about, outgoing.farewell("x", "gone"))
        evil.says(place.session("one"), b"")
        evil.says(topics.total("team"), b'{"v": 1, "known": true, "needs_approval": 0}')
        evil.says(Place("other", "box-2").about, outgoing.farewell("x", "gone"))
        assert evil.refusals == ["Not authorized"] * 4
        evil.says(Place("team", "box-2").about, outgoing.host([], time.time(), 0, "x", known=True))
        until(lambda: desk.speaks("box-2"))
        desk.shows({"one@box-1": WORKING}, "box-1")
        assert honest.connection.reached


def test_a_box_that_takes_another_boxs_name_is_told_that_it_may_not(hub: Hub, tmp_path: Path) -> None:
    liar = hub.box(tmp_path / "liar", "box-1", user="box-2")
    with watched(liar), at_work(liar.share()):
        until(lambda: "does not let us write" in liar.connection.why, lambda: str(liar.connection))


def test_a_box_cannot_read_what_others_share(hub: Hub, tmp_path: Path) -> None:
    box = hub.box(tmp_path / "box-1", "box-1")
    box.has(one=WORKING)
    with hub.anyone("box-2").listens("yourturn/#") as evil, hub.anyone("ada").listens("yourturn/#") as ada:
        with watched(box), at_work(box.share()):
            until(lambda: Place("team", "box-1").session("one") in ada.kept)
            evil.says(Place("team", "box-2").session("x"), b"x")
            until(lambda: evil.heard)
        assert set(evil.kept) == {Place("team", "box-2").session("x")}


def test_the_board_that_counts_writes_the_total_and_the_lamp_reads_it_and_nothing_else(
    hub: Hub, tmp_path: Path
) -> None:
    box, desk = hub.box(tmp_path / "box-1", "box-1"), hub.desk(tmp_path / "desk", "desk", total=True)
    box.has(one=NEEDS_APPROVAL)
    with hub.anyone("lamp").listens("#") as lamp:
        with watched(box), at_work(box.share(), desk.watch()):
            until(lambda: json.loads(lamp.kept.get(topics.total("team"), b"{}")).get("needs_approval") == 1)
        until(lambda: json.loads(lamp.kept[topics.total("team")]) == {"v": 1, "known": False})
        assert set(lamp.kept) == {topics.total("team")}


def test_a_board_that_may_not_write_the_total_says_so(hub: Hub, tmp_path: Path) -> None:
    desk = hub.desk(tmp_path / "desk", "ada", total=True)
    with at_work(desk.watch()):
        until(lambda: "does not let us write" in desk.connection.why, lambda: str(desk.connection))
        assert desk.connection.reached


def test_a_wrong_password_is_refused_and_not_told(hub: Hub, tmp_path: Path) -> None:
    desk = hub.desk(tmp_path / "desk", "ada", credentials=hub.credentials("ada", "wrong-secret"))
    with at_work(desk.watch()):
        until(lambda: "it refuses us" in desk.connection.why, lambda: str(desk.connection))
    assert "wrong-secret" not in "".join(path.read_text() for path in desk.home.rglob("*.json"))


@pytest.mark.parametrize("which", ["the system's", "another one"])
def test_without_the_authority_the_broker_is_not_trusted(hub: Hub, tmp_path: Path, which: str) -> None:
    other = Authority(tmp_path / "other").certificate if which == "another one" else ""
    desk = hub.desk(tmp_path / "desk", "ada", ca=other)
    with at_work(desk.watch()):
        until(lambda: "its certificate is not trusted" in desk.connection.why, lambda: str(desk.connection))


def test_a_certificate_for_another_name_is_not_trusted(hub: Hub, tmp_path: Path) -> None:
    desk = hub.desk(tmp_path / "desk", "ada", url=f"mqtts://127.0.0.1:{hub.broker.port}")
    with at_work(desk.watch()):
        until(lambda: "its certificate is not trusted" in desk.connection.why, lambda: str(desk.connection))


def test_credentials_that_others_can_read_are_refused(hub: Hub, tmp_path: Path) -> None:
    path = Path(hub.credentials("ada"))
    path.chmod(0o644)
    desk = hub.desk(tmp_path / "desk", "ada", credentials=str(path))
    path.chmod(0o644)
    with at_work(desk.watch()):
        until(lambda: f"chmod 600 {path}" in desk.connection.why, lambda: str(desk.connection))
    assert HIDDEN not in desk.connection.why


def test_a_client_certificate_is_as_good_as_a_password(tmp_path: Path) -> None:
    authority = Authority(tmp_path / "authority")
    server, client = authority.sign("localhost"), authority.sign("box-1")
    (tmp_path / "acl").write_text(block("acl"))
    settings = (
        f"certfile {server.certificate}", f"keyfile {server.key}", f"cafile {authority.certificate}",
        "require_certificate true", "use_identity_as_username true", f"acl_file {tmp_path}/acl",
    )  # fmt: skip
    who = tmp_path / "who.toml"
    who.write_text(f'certificate = "{client.certificate}"\nkey = "{client.key}"\n')
    who.chmod(0o600)
    with Broker(tmp_path / "broker", *settings) as broker:
        given = {"url": broker.secure_url, "ca": authority.certificate}
        box = Box(tmp_path / "box", broker, "box-1", credentials=str(who), **given)
        box.sharing = box.sharing._replace(owner="team")
        without = Box(tmp_path / "without", broker, "box-1", **given)
        with watched(box), at_work(box.share(), without.share()):
            until(lambda: box.connection.reached and not box.connection.why, lambda: str(box.connection))
            until(lambda: without.connection.why and "not answered" not in without.connection.why)
            assert not without.connection.reached
