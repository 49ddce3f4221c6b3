"""What doctor says of the clients other than Claude Code."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from contract import typed
from installer.clients.caveat import Caveat
from installer.doctor import doctor, probes
from installer.doctor.other_clients import Other, judge
from installer.hooks.program import Program
from installer.target import Target
from support.diagnosing import NOW, PROGRAM, WELL
from support.installing import PYTHON, Person
from support.other_clients import FILES, User

if TYPE_CHECKING:
    from pathlib import Path

PATH = "/h/.qwen/settings.json"
FINE = Other(
    Target("qwen", PATH),
    names=("SessionStart", "Stop"),
    found=frozenset({"SessionStart", "Stop"}),
    programs={PROGRAM: None},
    is_remembered=True,
)
GONE: dict[str, Any] = {"found": frozenset(), "programs": {}}
INSTALL, UNINSTALL = "install --client qwen", "uninstall --client qwen"
COPY = {Program("/v/python", "/other/hook.py"): None}
SICK: dict[str, tuple[dict[str, Any], str, str, str]] = {
    "none": (GONE | {"is_remembered": False}, "skip", f"no yourturn hooks in {PATH}", INSTALL),
    "removed": (GONE, "warn", f"the yourturn hooks were removed from {PATH}", UNINSTALL),
    "unreadable": ({"trouble": f"{PATH}:3:1: x."}, "FAIL", f"{PATH}:3:1: x.", f"Fix {PATH}, then run"),
    "unreadable, none of ours": ({"trouble": "x", "is_remembered": False}, "warn", "x", f"Fix {PATH}, then run"),
    "incomplete": ({"found": frozenset({"Stop"})}, "FAIL", f"{PATH} has none for SessionStart", INSTALL),
    "removed and read-only": (
        {"found": frozenset({"Stop"}), "is_writable": False},
        "FAIL",
        "",
        "writable, then run",
    ),
    "edited": ({"is_edited": True}, "FAIL", f"a yourturn hook in {PATH} was edited", INSTALL),
    "no program": ({"programs": {PROGRAM: "/v/python is gone"}}, "FAIL", "/v/python is gone", INSTALL),
    "disabled": ({"caveats": (Caveat("it is off", "Turn it on."),)}, "FAIL", "it is off", "Turn it on."),
    "not reviewed": ({"caveats": (Caveat("not yet", "Do it.", is_step=True),)}, "warn", "not yet", "Do it."),
    "narrowed": ({"narrowed": ("Stop",)}, "warn", "a matcher limits the hooks for Stop", f"from {PATH}"),
    "older": ({"is_current": False}, "warn", f"{PATH} is not as this version writes it", INSTALL),
    "another copy": ({"programs": COPY}, "warn", "another copy of yourturn, /other/hook.py", "fine if you intended"),
}


@pytest.mark.parametrize(("different", "verdict", "words", "remedy"), SICK.values(), ids=SICK)
def test_what_is_wrong_is_told_with_a_remedy(different: dict[str, Any], verdict: str, words: str, remedy: str) -> None:
    other = replace(FINE, **different)
    check = judge(other, PROGRAM)
    assert (check.name, check.verdict) == ("qwen", verdict)
    assert words in check.seen
    assert remedy in (check.remedy or "")
    if remedy in (INSTALL, UNINSTALL):
        assert typed.command(remedy) in (check.remedy or "")
    assert doctor.is_well(doctor.diagnose(replace(WELL, others=(other,)), PROGRAM, NOW)) is (verdict != "FAIL")


def test_what_is_right_says_where_it_is() -> None:
    assert judge(FINE, PROGRAM)[1:] == ("ok", f"all 2 events in {PATH}", None)
    noted = replace(FINE, names=("plugin",), found=frozenset({"plugin"}), noun="plugin", note="only on Sundays")
    assert judge(noted, PROGRAM)[1:] == ("ok", f"the plugin {PATH}; only on Sundays", None)


def test_who_uses_another_client_need_not_have_claude_code() -> None:
    nothing: dict[str, Any] = {
        "client": None,
        "client_version": None,
        "settings": None,
        "programs": {},
        "last_event": None,
    }
    seen = replace(WELL, **nothing, others=(FINE,), watcher_alive=False, beat=None)
    checks = {check.name: check for check in doctor.diagnose(seen, PROGRAM, NOW)}
    assert (checks["client"].verdict, "hooks" in checks) == ("skip", False)
    assert checks["last event"].remedy == "Send a prompt, then run doctor again."
    assert checks["watcher"].remedy == "Nothing to do: the next event starts it."
    unused = replace(FINE, found=frozenset(), is_remembered=False)
    checks = {check.name: check for check in doctor.diagnose(replace(seen, others=(unused,)), PROGRAM, NOW)}
    assert (checks["client"].verdict, checks["hooks"].verdict) == ("FAIL", "FAIL")


@pytest.fixture
def user(tmp_path: Path) -> User:
    """Somebody whose Qwen Code has our hooks."""
    user = User(Person(tmp_path), "qwen")
    assert user.installs().returncode == 0
    return user


def told(user: User) -> dict[str, tuple[str, str]]:
    done = user.person.runs("doctor", "--json", PATH=f"{user.person.root}/bin")
    return {one["name"]: (one["verdict"], one["seen"]) for one in json.loads(done.stdout)["checks"]}


def test_a_fresh_installation_is_well(user: User) -> None:
    assert told(user)["qwen"] == ("ok", f"all 12 events in {user.path}")


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


REAL = {
    "removed": (lambda _: "{}", "warn", "were removed from"),
    "incomplete": (lambda text: changed(text, '"Stop"', '"Stopped"'), "fail", "has none for Stop"),
    "edited": (lambda text: changed(text, "-S -E", "-E"), "fail", "was edited"),
    "moved": (lambda text: changed(text, PYTHON, "/gone/python"), "fail", "/gone/python does not exist"),
    "older": (lambda text: changed(text, "10000", "5000"), "warn", "is not as this version writes it"),
    "disabled": (lambda text: changed(text, "{\n", '{\n"disableAllHooks": true, // now\n'), "fail", "disableAllHooks"),
    "narrowed": (lambda text: changed(text, '{\n        "hooks"', '{"matcher": "Bash",\n"hooks"'), "warn", "a matcher"),
    "broken": (lambda text: text + "}", "fail", "Extra data"),
    "not UTF-8": (lambda text: text + "\udcff", "fail", "not UTF-8"),
}


@pytest.mark.parametrize(("change", "verdict", "words"), REAL.values(), ids=REAL)
def test_a_real_file_is_looked_at(change: Any, verdict: str, words: str, user: User) -> None:
    user.path.write_text(change(user.path.read_text()), errors="surrogateescape")
    before = user.path.read_bytes()
    got, seen = told(user)["qwen"]
    assert (got, words in seen) == (verdict, True), seen
    assert user.path.read_bytes() == before


def test_a_client_without_hooks_of_ours_is_told_of_and_one_that_is_not_here_is_not(user: User) -> None:
    (user.person.root / ".gemini").mkdir()
    checks = told(user)
    assert checks["gemini"] == ("skip", f"no yourturn hooks in {user.person.root / FILES['gemini']}")
    assert "codex" not in checks


def test_a_client_whose_folder_is_gone_is_remembered(user: User) -> None:
    user.path.unlink()
    user.path.parent.rmdir()
    assert told(user)["qwen"][0] == "warn"


def test_a_plugin_that_somebody_else_wrote_is_left_to_them(tmp_path: Path) -> None:
    path = tmp_path / "yourturn.js"
    path.write_text("// not ours\n")
    seen = probes.other_client(Target("opencode", str(path)), is_remembered=False)
    assert judge(seen, PROGRAM)[1:3] == ("warn", f"{path} was not written by yourturn.")


def test_codex_is_to_be_reviewed_until_its_own_file_says_that_it_was(tmp_path: Path) -> None:
    user = User(Person(tmp_path), "codex")
    user.installs()
    assert told(user)["codex"][0] == "warn"
    events = "session_start user_prompt_submit pre_tool_use permission_request post_tool_use subagent_start"
    events += " subagent_stop interrupt stop pre_compact post_compact session_end"
    lines = [f'[hooks.state."{user.path}:{event}:0:0"]\ntrusted_hash = "sha256:0"\n' for event in events.split()]
    (tmp_path / ".codex/config.toml").write_text("".join(lines))
    assert told(user)["codex"] == ("ok", f"all 12 events in {user.path}")
