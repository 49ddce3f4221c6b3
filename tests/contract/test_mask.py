"""What of a command is kept, and what is hidden before it can be kept."""

import json
import subprocess
from pathlib import Path

import pytest

from contract.clean import clean
from contract.mask import HIDDEN, mask
from support.builders import HOOK, call, hook_env
from support.project import TESTS
from watcher.rules.commands_seen import same_command

MASKED = TESTS / "contract" / "masked"
SECRETS = ("hunter2", "swordfish", "Kf9-zQ_x7", "correcthorse", "Tr0ub4dor", "8f14e45fceea167a", "ABCDEFGHIJ")
PARTS = 4  # of the list, so that several processes can share it


def lines(name: str) -> list[str]:
    found = [line for line in (MASKED / name).read_text().splitlines() if line and not line.startswith("# How secrets")]
    return [line for line in found if not line.startswith("# Ordinary")]


def with_secret(form: str, secret: str) -> str:
    return form.replace("\\n", "\n").replace("§", secret)


FORMS = lines("secrets.txt")
COMMANDS = [line.partition(" => ") for line in lines("commands.txt")]


def test_the_lists_are_long_enough_and_each_form_has_its_secret() -> None:
    assert len(set(FORMS)) == len(FORMS) >= 150
    assert all("§" in form for form in FORMS)
    assert len(COMMANDS) >= 60


@pytest.mark.parametrize("secret", SECRETS)
def test_no_form_of_a_secret_is_shown(secret: str) -> None:
    shown = {form: mask(with_secret(form, secret)) for form in FORMS}
    assert {form: text for form, text in shown.items() if secret in text} == {}


@pytest.mark.parametrize("part", range(PARTS))
def test_no_form_of_a_secret_reaches_the_disk(part: int, tmp_path: Path) -> None:
    """Through the hook as the client runs it: a process of its own for each."""
    told = {}
    for k, form in list(enumerate(FORMS))[part::PARTS]:
        told[form] = secret = SECRETS[k % len(SECRETS)]
        given = {"command": with_secret(form, secret)}
        event = json.dumps(call("PreToolUse", "t", given=given, session_id=f"s{k}")).encode()
        subprocess.run(HOOK, input=event, env=hook_env(tmp_path), check=True)
    kept = [path.read_text() for path in (tmp_path / "state").rglob("*") if path.is_file()]
    assert len([text for text in kept if '"target"' in text]) == len(told)
    assert {form: secret for form, secret in told.items() if any(secret in text for text in kept)} == {}


@pytest.mark.parametrize(("command", "there", "kept"), COMMANDS, ids=[command for command, _, _ in COMMANDS])
def test_of_an_ordinary_command_a_person_sees_what_it_does(command: str, there: str, kept: str) -> None:
    assert mask(command) == (kept if there else command)


@pytest.mark.parametrize(("command", "there", "kept"), COMMANDS, ids=[command for command, _, _ in COMMANDS])
def test_a_kept_command_is_found_again_among_the_processes(command: str, there: str, kept: str) -> None:
    """By what was kept of it, and by what the first version kept of it."""
    target = clean(mask(command, 60), 60)
    assert same_command(target, command)
    assert not same_command(target, command + " other") or target.strip("'").endswith(HIDDEN)
    assert not same_command(target, "other " + command)


@pytest.mark.parametrize(
    ("target", "command", "expected"),
    [
        ("API_KEY=*** make all", "API_KEY=x make all", True),
        ("API_KEY=*** make all", "API_KEY=x make none", False),
        ("API_KEY=*** make", "API_KEY=x make all", False),
        ("curl -u bob:*** https://a.b/***", "curl -u bob:x 'https://a.b/c'", True),
        ("curl -u bob:*** https://a.b/***", "curl -u bob:x 'https://b.b/c'", False),
        ("make *** and then a very lo…", "make x and then a very long line", True),
        ("cat > f << ***", "cat > f <<EOF\nwhatever\nEOF", True),
        ("***", "anything", False),
        ("", "anything", False),
        ("…", "anything", False),
        ("make ***", "make " + "x" * 500 + " end", True),
        ("make *** end", "make " + "x" * 500 + " end", True),
    ],
)
def test_what_was_hidden_may_be_anything_and_the_rest_must_be_there(target: str, command: str, expected: bool) -> None:
    assert same_command(target, command) is expected


def test_a_long_command_is_looked_at_as_far_as_it_is_kept() -> None:
    shown = mask("echo hello; " * 1000, 60)
    assert 60 < len(shown) < 100


def test_the_end_of_something_encoded_is_no_name() -> None:
    assert mask("run aGVsbG8=") == "run ***"
    assert mask("FOO= make") == "FOO= make"
