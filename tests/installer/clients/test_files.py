"""Each client's file through install, install again, uninstall: as before, byte for byte, or refused and left alone."""

from __future__ import annotations

import json
import os
import stat
import tempfile
from pathlib import Path
from typing import Any

import pytest

from contract import store
from installer import console, install, place, plan, record, target
from installer.clients import CLIENTS
from installer.hooks import settings_file
from installer.place import Wish
from installer.refusal import Refusal
from support.installing import Person
from support.other_clients import OTHERS, OURS, User, is_clean, paths

pytestmark = pytest.mark.series  # with `make test-clients`

THEIRS = Path(__file__).parent / "theirs"  # for each client, another tool's hook for an event that we listen to as well
COMMENTED = b"""// mine
{
  /* the model
     that I like */
  "model": { "name": "x" }, // the best
  "ui": {
    // nothing yet
  } // last
}
"""
PLUGIN = b"// a plugin of my own\nexport const Mine = async () => ({})\n"
SYNTAX = b'{\n  "model": "x"\n  "ui": {}\n}\n'
WITH_COMMENTS = ("gemini", "qwen")


def theirs(client: str) -> bytes:
    return (THEIRS / client).read_bytes()


def comes_back(user: User, content: bytes) -> None:
    user.has(content).path.chmod(0o640)
    before = user.everything()
    user.installs_twice()
    assert [path.read_bytes() for path in user.backups] == [content]
    assert stat.S_IMODE(user.path.stat().st_mode) == 0o640
    done = user.uninstalls()
    assert (done.returncode, done.stderr) == (0, "")
    assert user.everything() == before
    assert stat.S_IMODE(user.path.stat().st_mode) == 0o640


def test_where_there_was_nothing_there_is_nothing_again(user: User) -> None:
    user.installs_twice()
    assert stat.S_IMODE(user.path.stat().st_mode) == 0o600
    assert user.uninstalls().returncode == 0
    assert user.everything() == {}


@pytest.mark.parametrize("content", [b"", b"\n"], ids=["empty", "blank"])
def test_an_empty_file_is_empty_again(content: bytes, user: User) -> None:
    comes_back(user, content)


def test_hooks_of_others_stay(user: User) -> None:
    if user.client == "opencode":
        user.has(PLUGIN).refuses("was not written by yourturn.\n  It was not changed. Move it away")
        return
    comes_back(user, theirs(user.client))
    user.has(theirs(user.client)).installs()
    assert "other-tool notify" in user.path.read_text()


def test_comments_stay_where_the_client_allows_them(user: User) -> None:
    if user.client not in WITH_COMMENTS:
        words = "Move it away" if user.client == "opencode" else "make it plain JSON (no comments)"
        user.has(COMMENTED).refuses(words)
        return
    comes_back(user, COMMENTED)
    user.has(COMMENTED).installs()
    text = user.path.read_text()
    for said in ("// mine\n", '"x" }, // the best\n', "// nothing yet\n", "/* the model\n     that I like */"):
        assert said in text
    assert text.index("// last") < text.index('"hooks"')


def test_a_symlink_stays_a_symlink(user: User) -> None:
    content = b"" if user.client == "opencode" else theirs(user.client)
    real = user.person.root / "dotfiles" / "file"
    real.parent.mkdir()
    real.write_bytes(content)
    user.path.parent.mkdir(parents=True)
    user.path.symlink_to(real)
    before = user.everything()
    user.installs_twice()
    assert user.path.is_symlink()
    assert real.read_bytes() != content
    assert user.uninstalls().returncode == 0
    assert user.everything() == before


def test_a_syntax_error_is_refused_with_its_place(user: User) -> None:
    place = "was not written by yourturn" if user.client == "opencode" else f"{user.path}:3:3: "
    user.has(SYNTAX).refuses(place)


@pytest.mark.parametrize("client", OTHERS)
def test_a_read_only_file_is_refused(client: str) -> None:
    with tempfile.TemporaryDirectory() as folder:  # that of pytest is not open to others
        user = User(Person(Path(folder)), client)
        user.has(b"" if client == "opencode" else theirs(client)).path.chmod(0o444)
        # Modes mean nothing to root, so a superuser's run of this test becomes another user's.
        nobody = {"AS_UID": "65534"} if os.getuid() == 0 else {}
        for path in [user.person.root, *user.person.root.rglob("*")] if nobody else []:
            os.chown(path, 65534, 65534)
        user.refuses("is read-only.\n  Make it writable", **nobody)


def test_windows_line_ends_stay(user: User) -> None:
    if user.client == "opencode":
        user.installs()
        ours = user.path.read_bytes().replace(b"\n", b"\r\n")
        user.has(ours).installs_twice()
        assert user.path.read_bytes() == ours
        return
    comes_back(user, theirs(user.client).replace(b"\n", b"\r\n"))
    user.has(theirs(user.client).replace(b"\n", b"\r\n")).installs()
    assert user.path.read_bytes().count(b"\n") == user.path.read_bytes().count(b"\r\n")


def test_what_others_changed_since_stays(user: User) -> None:
    if user.client == "opencode":
        user.installs()
        user.has(user.path.read_bytes() + b"// mine\n")
        changed = user.path.read_bytes()
        assert user.uninstalls().returncode == 0
        assert not user.path.exists()
        assert [path.read_bytes() for path in user.backups] == [changed]
        return
    user.has(theirs(user.client)).installs()
    value = json.loads(user.path.read_text()) | {"new": 1}
    user.has(json.dumps(value).encode())
    assert user.uninstalls().returncode == 0
    assert json.loads(user.path.read_text()) == json.loads(theirs(user.client)) | {"new": 1}


@pytest.mark.parametrize("client", WITH_COMMENTS)
def test_comments_stay_also_where_others_wrote_since(client: str, tmp_path: Path) -> None:
    user = User(Person(tmp_path), client).has(COMMENTED)
    user.installs()
    user.has(user.path.read_bytes().replace(b'"x"', b'"y"'))
    assert user.uninstalls().returncode == 0
    assert user.path.read_bytes() == COMMENTED.replace(b'"x"', b'"y"')


def test_a_hook_that_was_moved_is_followed_and_the_original_still_comes_back(user: User) -> None:
    content = b"" if user.client == "opencode" else theirs(user.client)
    user.has(content)
    moved = user.person.root / 'moved "python"\\'
    moved.symlink_to(OURS.interpreter)
    words = ("install", "--client", user.client, "--yes", "--no-service")
    assert user.person.calls(user.person.argv(*words, python=str(moved))).returncode == 0
    text = user.path.read_text()
    assert CLIENTS[user.client].editor(OURS).programs(text)[0] == OURS._replace(interpreter=str(moved))
    assert not user.has_all()
    user.installs_twice()
    assert "moved" not in user.path.read_text()
    assert user.uninstalls().returncode == 0
    assert user.path.read_bytes() == content


def test_an_unknown_record_leaves_no_hook_behind(user: User) -> None:
    if user.client != "opencode":
        user.has(theirs(user.client))
    user.installs()
    (user.person.state / "install.json").unlink()
    assert user.uninstalls().returncode == 0
    assert is_clean(user.path.read_text() if user.path.exists() else "", user.client)
    assert user.path.exists() is (user.client != "opencode")


def test_a_crash_between_backup_and_write_loses_nothing(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after a power cut: no line of ours runs any more."""
    content = b"" if user.client == "opencode" else theirs(user.client)
    user.has(content)
    here = place.find(user.person.environ)
    monkeypatch.setattr(settings_file, "replace", power_cut)
    monkeypatch.setattr(store, "remove", lambda _path: None)
    monkeypatch.setattr(record, "save", saved_once())
    one = target.Target(user.client, str(user.path))
    with pytest.raises(PowerCut):
        install.install(here, OURS, console.standard({}), Wish(now=0.0, yes=True), [one])
    assert user.path.read_bytes() == content
    assert len(user.backups) == 1
    monkeypatch.undo()
    user.installs_twice()
    assert user.uninstalls().returncode == 0
    assert user.path.read_bytes() == content


class PowerCut(BaseException):
    pass


def power_cut(*_: object) -> None:
    raise PowerCut


def saved_once() -> Any:
    """The second one would be the way back, which does not happen."""
    real, calls = record.save, []

    def save(home: str, known: record.Record) -> None:
        calls.append(home)
        if len(calls) == 1:
            real(home, known)

    return save


def test_a_file_that_changes_under_us_is_not_overwritten(user: User) -> None:
    content = b"" if user.client == "opencode" else theirs(user.client)
    user.has(content)
    here, one = place.find(user.person.environ), target.Target(user.client, str(user.path))
    planned = plan.putting_in(one, OURS)
    user.has(b"{}")
    with pytest.raises(Refusal, match="changed by another program"):
        install.carry_out(here, [planned], console.standard({}), 0.0)
    assert user.path.read_bytes() == b"{}"
    assert user.backups == []
    assert record.load(here.home) == record.Record()


@pytest.mark.skipif(os.getuid() != 0, reason="only root may give files away")
def test_the_owner_stays(user: User) -> None:
    user.has(b"" if user.client == "opencode" else theirs(user.client))
    os.chown(user.path, 65534, 65534)
    user.installs_twice()
    assert (user.path.stat().st_uid, user.path.stat().st_gid) == (65534, 65534)
    assert user.uninstalls().returncode == 0
    assert (user.path.stat().st_uid, user.path.stat().st_gid) == (65534, 65534)


def test_each_file_is_where_the_client_looks_for_it() -> None:
    assert paths({"HOME": "/h"}) == {
        "claude": "/h/.claude/settings.json",
        "codex": "/h/.codex/hooks.json",
        "copilot": "/h/.copilot/hooks/yourturn.json",
        "gemini": "/h/.gemini/settings.json",
        "opencode": "/h/.config/opencode/plugin/yourturn.js",
        "qwen": "/h/.qwen/settings.json",
    }
    moved = {
        "CLAUDE_CONFIG_DIR": "/k", "CODEX_HOME": "/c", "COPILOT_HOME": "/p", "GEMINI_CLI_HOME": "/g",
        "XDG_CONFIG_HOME": "/x", "QWEN_HOME": "/q",
    }  # fmt: skip
    assert paths({"HOME": "/h", **moved}) == {
        "claude": "/k/settings.json",
        "codex": "/c/hooks.json",
        "copilot": "/p/hooks/yourturn.json",
        "gemini": "/g/.gemini/settings.json",
        "opencode": "/x/opencode/plugin/yourturn.js",
        "qwen": "/q/settings.json",
    }
