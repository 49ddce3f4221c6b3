"""The gate: quotas, folders, and the user's own hook."""

import json
import os

import pytest

from agency import gate
from agency.outcome import Busy, NotDone
from agency.registration import Spawned
from agency.request import Request
from statusbar.settings.settings import Settings
from support.patience import until
from support.spawning import Bureau


def spawned(name: str, *, parent: str = "", depth: int = 1) -> Spawned:
    return Spawned(name, f"id-{name}", "agent", parent, depth, "sh", "/", 1, "1", 1, "1", 0.0)


def request(name: str = "new", parent: str = "", cwd: str = "/tmp") -> Request:
    return Request(name, f"id-{name}", ("sh",), (), cwd, parent=parent)


def test_the_first_agent_is_one_deep_and_a_child_one_deeper() -> None:
    assert gate.has_room(request(), [], Settings()) == 1
    assert gate.has_room(request(parent="id-a"), [spawned("a", depth=2)], Settings()) == 3


@pytest.mark.parametrize(
    ("living", "limit", "kind"),
    [
        ([spawned("new")], Settings(), NotDone),
        ([spawned("a"), spawned("b")], Settings(agents_at_once=2), Busy),
        ([spawned("p"), spawned("a", parent="id-p")], Settings(agents_per_parent=1), Busy),
        ([spawned("p", depth=3)], Settings(agents_deep=3), NotDone),
    ],
    ids=["the name", "at once", "per parent", "too deep"],
)
def test_one_too_many_is_refused(living: list[Spawned], limit: Settings, kind: type[NotDone]) -> None:
    with pytest.raises(NotDone) as refusal:
        gate.has_room(request(parent="id-p"), living, limit)
    assert type(refusal.value) is kind
    assert refusal.value.outcome.code == 3


def test_no_limit_is_0() -> None:
    crowd = [spawned(f"a{number}", parent="id-p") for number in range(200)]
    assert gate.has_room(request(parent="id-p"), crowd, Settings(agents_at_once=0, agents_per_parent=0)) == 1


def test_so_many_a_minute_and_no_more_until_the_minute_is_over(bureau: Bureau) -> None:
    bureau.home.mkdir()
    limit = Settings(agents_a_minute=2)
    for now in (100.0, 130.0):
        gate.count_spawn(str(bureau.home), now, limit)
    with pytest.raises(Busy):
        gate.count_spawn(str(bureau.home), 159.0, limit)
    gate.count_spawn(str(bureau.home), 161.0, limit)


def test_the_quota_of_the_settings_holds_for_real(bureau: Bureau) -> None:
    bureau.config("[spawn]\nagents_at_once = 1\n")
    bureau.waiting("one")
    done = bureau.run("spawn", "--name", "two", "--", "true")
    assert done.returncode == 3
    assert "spawn.agents_at_once is 1" in done.stderr


def test_a_folder_of_the_settings_is_closed_to_agents_also_behind_a_link(bureau: Bureau) -> None:
    closed, link = bureau.folder / "closed", bureau.folder / "link"
    (closed / "inner").mkdir(parents=True)
    link.symlink_to(closed)
    bureau.config(f"[spawn]\nno_spawn_in = ['{closed}']\n")
    for cwd in (closed, closed / "inner", link):
        done = bureau.run("spawn", "--cwd", str(cwd), "--", "true")
        assert done.returncode == 3
        assert "spawn.no_spawn_in forbids" in done.stderr
    beside = bureau.folder / "closed-not"
    beside.mkdir()
    assert bureau.run("spawn", "--wait", "--cwd", str(beside), "--", "true").returncode == 0


def test_an_agent_may_only_be_restricted_by_those_above_it(bureau: Bureau) -> None:
    """The parent is told by its id in the environment, as what an agent starts has it."""
    parent = bureau.waiting("parent", "--allow", "Read", "--allow", "Grep")
    env = {"YOURTURN_AGENT": parent.session}
    refused = bureau.run("spawn", "--allow", "Bash", "--", "true", **env)
    assert refused.returncode == 3
    assert "its parent may not use Bash" in refused.stderr
    child = bureau.waiting("child", "--allow", "Read", **env)
    assert (child.parent, child.depth, child.allow) == (parent.session, 2, ["Read"])
    assert bureau.waiting("heir", **env).allow == ["Read", "Grep"]


def test_before_spawn_is_told_everything_but_prompt_and_environment(bureau: Bureau) -> None:
    told = bureau.folder / "told"
    bureau.hook("before-spawn", f"cat > {told}")
    bureau.describe("cat", 'program = "cat"')
    assert bureau.run("spawn", "--wait", "--agent", "cat", "--name", "x", "the prompt").returncode == 0
    known = json.loads(told.read_text())
    assert (known["name"], known["agent"], known["argv"]) == ("x", "cat", ["cat"])
    assert "the prompt" not in told.read_text()
    assert os.environ["PATH"] not in told.read_text()


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("echo not on a Friday; exit 1", "not on a Friday"),
        ("exit 4", "it ended with exit code 4"),
        ("echo '{\"deny\": 7}'", "is not understood"),
        ("echo nonsense", "is not understood"),
        ("sleep 600", "no answer within"),
    ],
    ids=["with a reason", "without", "a wrong answer", "nonsense", "no answer"],
)
def test_before_spawn_refuses(bureau: Bureau, script: str, words: str) -> None:
    bureau.config("[spawn]\nhook_s = 0.5\n" if "sleep" in script else "")
    bureau.hook("before-spawn", script)
    done = bureau.run("spawn", "--name", "x", "--", "touch", str(bureau.folder / "ran"))
    assert done.returncode == 3
    assert words in done.stderr
    assert not (bureau.folder / "ran").exists()
    assert bureau.audit() == [("spawn", "refused", "x")]


def test_before_spawn_may_restrict(bureau: Bureau) -> None:
    bureau.hook("before-spawn", 'echo \'{"deny": ["Bash"], "timeout_s": 0.2}\'')
    done = bureau.run("spawn", "--wait", "--json", "--", "sh", "-c", 'echo "$YOURTURN_DENY"; exec sleep 600')
    said, report = done.stdout.splitlines()
    assert said == "Bash"
    assert json.loads(report)["reason"] == "timeout"


@pytest.mark.parametrize("mode", [0o600, 0o757], ids=["no executable", "others may change it"])
def test_a_hook_that_must_not_be_run_refuses_and_says_the_remedy(bureau: Bureau, mode: int) -> None:
    bureau.hook("before-spawn", "exit 0").chmod(mode)
    done = bureau.run("spawn", "--", "true")
    assert done.returncode == 3
    assert "chmod" in done.stderr


def test_the_other_hooks_are_told_and_a_slow_one_hangs_nobody(bureau: Bureau) -> None:
    bureau.config("[spawn]\nhook_s = 0.5\n")
    told = bureau.folder / "told"
    bureau.hook("after-spawn", "sleep 600")
    bureau.hook("after-exit", f"cat > {told}; exit 5")
    assert bureau.run("spawn", "--name", "x", "--", "sh", "-c", "exit 3").returncode == 0
    until(lambda: bureau.audit()[-1:] == [("hook", "failed", "x")] and told.exists(), "what the hooks did")
    known = json.loads(told.read_text())
    assert (known["name"], known["ok"], known["exit"], known["reason"]) == ("x", False, 3, "exit 3")
    until(lambda: bureau.audit().count(("hook", "failed", "x")) == 2, "both hooks in the audit")
