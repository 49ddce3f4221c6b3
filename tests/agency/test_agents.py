"""The agents that people have described, and `yourturn agents`."""

import json
from pathlib import Path

import pytest

from agency.clients import CLIENTS, NOT_ENFORCED, enforced
from contract import paths
from support.spawning import Bureau


def test_without_any_it_shows_how_one_looks(bureau: Bureau) -> None:
    done = bureau.run("agents")
    assert (done.returncode, done.stdout) == (0, "")
    assert 'program = "claude"' in done.stderr


def test_they_are_listed_with_what_they_may_do(bureau: Bureau) -> None:
    bureau.describe("reviewer", 'program = "sh"\nmodel = "small"\nallow = ["Read"]\ndeny = ["Bash"]\nprompt = "secret"')
    done = bureau.run("agents")
    assert done.returncode == 0
    first, *below = done.stdout.splitlines()
    assert first.split() == ["reviewer", "sh", "small", "only", "Read,", "not", "Bash"]
    assert " ".join(line.strip() for line in below) == NOT_ENFORCED
    listed = json.loads(bureau.run("agents", "--json").stdout)
    assert (listed["name"], listed["allow"], listed["trouble"]) == ("reviewer", ["Read"], None)
    assert listed["enforced"] == NOT_ENFORCED
    assert "secret" not in bureau.run("agents", "--json").stdout


def test_the_help_of_spawn_says_for_each_client_what_is_enforced(bureau: Bureau) -> None:
    said = " ".join(bureau.run("spawn", "--help").stdout.split())
    assert [name for name in (*CLIENTS, "other programs") if f"{name}: {enforced(name)}" not in said] == []


def test_the_audit_says_what_an_agent_may_do_and_what_of_that_is_enforced(bureau: Bureau) -> None:
    bureau.run("spawn", "--wait", "--name", "first", "--allow", "Read", "--", "true")
    began = json.loads(Path(paths.audit(str(bureau.home))).read_text().splitlines()[0])
    told = {key: began[key] for key in ("client", "allow", "deny", "enforced")}
    assert told == {"client": "command", "allow": ["Read"], "deny": [], "enforced": NOT_ENFORCED}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("program = ", "line 1"),
        ("model = 'x'", "'program' is missing"),
        ("program = 7", "program must be a text"),
        ("program = 'sh'\ncolour = 'red'", "unknown key 'colour'"),
        ("program = 'sh'\nallow = 'Read'", "allow must be a list of texts"),
        ("program = 'sh'\ntimeout_s = -1", "timeout_s must be a number of seconds above 0"),
        ("program = 'no-such-program'", "no program 'no-such-program' on PATH"),
        ("program = 'sh'\ncwd = '/no/such'", "no folder /no/such"),
        ("program = 'sh'\nname = 'x'", "unknown key 'name'"),
    ],
)
def test_a_broken_one_is_named_with_its_file_and_cannot_be_spawned(bureau: Bureau, text: str, words: str) -> None:
    path = bureau.describe("broken", text)
    listed = bureau.run("agents")
    assert listed.returncode == 1
    assert str(path) in listed.stdout
    assert words in listed.stdout
    tried = bureau.run("spawn", "--agent", "broken", "prompt")
    assert tried.returncode in (1, 2)
    assert words in tried.stderr
    assert bureau.audit() == []


def test_an_unknown_one_is_refused_with_those_that_there_are(bureau: Bureau) -> None:
    bureau.describe("reviewer", 'program = "sh"')
    done = bureau.run("spawn", "--agent", "writer", "prompt")
    assert done.returncode == 2
    assert "There are: reviewer" in done.stderr


def test_a_name_cannot_leave_the_folder(bureau: Bureau) -> None:
    (bureau.folder / "evil.toml").write_text('program = "sh"')
    assert bureau.run("spawn", "--agent", "../../evil", "prompt").returncode == 2


def test_the_prompt_of_a_plain_program_comes_after_that_of_its_description(bureau: Bureau) -> None:
    bureau.describe("echo", 'program = "cat"\nprompt = "You repeat."')
    assert bureau.run("spawn", "--wait", "--agent", "echo", "hello").stdout == "You repeat.\n\nhello"
    assert bureau.run("spawn", "--wait", "--agent", "echo", stdin="from a pipe").stdout == "You repeat.\n\nfrom a pipe"


@pytest.mark.parametrize("words", [["two", "prompts"], ["  "]])
def test_one_prompt_and_not_an_empty_one(bureau: Bureau, words: list[str]) -> None:
    bureau.describe("echo", 'program = "cat"')
    assert bureau.run("spawn", "--agent", "echo", *words).returncode == 2
