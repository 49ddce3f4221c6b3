"""The rooms know each other only through the contract."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import conversations.clients
from contract.clients.claude import EVENTS
from support.project import PROJECT
from watcher.clients import CLIENTS

ROOMS = {
    "contract",
    "recorder",
    "processes",
    "watcher",
    "conversations",
    "statusbar",
    "agency",
    "fleet",
    "answers",
    "answer_hook",
    "usage",
    "installer",
    "hook",
    "yourturn",
    "bench",
    "simulator",
    "torture",
    "tests",
}
MAY_IMPORT = {
    "contract": set(),
    "recorder": {"contract"},
    "hook": {"contract", "recorder"},
    "processes": {"contract"},
    "watcher": {"contract", "processes"},
    "conversations": {"contract"},
    "answers": {"contract", "recorder"},
    "answer_hook": {"contract", "recorder", "answers"},
    "statusbar": {"contract", "processes", "conversations", "usage", "answers"},
    "agency": {"contract", "processes", "statusbar", "answers"},
    "fleet": {"contract", "processes", "statusbar"},
    "usage": {"contract"},
    "installer": {"contract"},
}
PLAIN_DETAILS = {"question", "plan"}  # words of ours for what is asked
STANDARD_LIBRARY_ONLY = ("contract", "recorder", "hook", "answers", "answer_hook", "conversations", "usage")
# What the file of a client may import.
MAY_SAY = {
    "contract.clean",
    "contract.clean.clean",
    "recorder.change",
    "recorder.change.Change",
    "recorder.change.about",
    "recorder.change.Kind",
    "recorder.change.second",
}
# The keys of Claude Code's payloads, as far as they are no words that we use for the same ourselves.
CLAUDE_KEYS = {
    "session_id", "hook_event_name", "transcript_path", "agent_transcript_path", "permission_mode", "prompt_id",
    "agent_id", "agentId", "tool_name", "tool_input", "tool_use_id", "tool_response", "tool_calls", "subagent_type",
    "notification_type", "mcp_server_name", "background_tasks", "session_crons", "teammate_name", "team_name",
    "worker_permission_prompt",
}  # fmt: skip
# How Claude Code's names begin: how it was started, teams that nobody named, the ids of teammates.
CLAUDE_NAMES = {"sdk", "session-", "a{}-"}
SHARED_NAMES = {"vocabulary.py": {"sdk-cli"}}
PLAIN_WORDS = {"Stop", "Notification", "Elicitation"}  # in a comment they need not be the event
# Fields of the record that front ends read.
OUR_OWN = {"status.py": {"session_id"}, "hosts.py": {"session_id"}, "observation.py": {"session_id"}}


def sources(room: str) -> list[Path]:
    found = [PROJECT / f"{room}.py"] if (PROJECT / f"{room}.py").exists() else sorted((PROJECT / room).rglob("*.py"))
    assert found, f"{room}: looked at nothing"
    return found


def imported(path: Path) -> set[str]:
    """The top-level names a file imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names.add((node.module or "").split(".")[0])
    return names


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_arrows_go_one_way(room: str) -> None:
    for path in sources(room):
        foreign = imported(path) & ROOMS - {room} - MAY_IMPORT[room]
        assert not foreign, f"{path.relative_to(PROJECT)} imports {foreign}"


@pytest.mark.parametrize("room", STANDARD_LIBRARY_ONLY)
def test_what_must_be_quick_is_in_the_standard_library(room: str) -> None:
    for path in sources(room):
        outside = imported(path) - ROOMS - set(sys.stdlib_module_names) - {"posix"}
        assert not outside, f"{path.relative_to(PROJECT)} imports {outside}"


def modules(path: Path) -> set[str]:
    """The whole names of what a file imports, however it does."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module or ""}
    return names


def of_a_client(name: str) -> bool:
    return ".clients." in name and name.rpartition(".")[2] not in ("CLIENTS", "NAMES", "named")


def common(room: str) -> list[Path]:
    """The files of a room that are there for every client."""
    found = [path for path in sources(room) if path.parent.name != "clients" or path.name == "__init__.py"]
    assert len(found) > 5, f"{room}: looked at next to nothing"
    return found


def test_what_the_hook_does_for_every_client_imports_none() -> None:
    claude = PROJECT / "recorder" / "clients" / "claude.py"
    assert claude not in common("recorder")
    assert "recorder.change.Change" in modules(claude), "looked at nothing"
    for path in common("recorder"):
        assert not {name for name in modules(path) if of_a_client(name)}, path.relative_to(PROJECT)


def test_a_client_knows_no_other_one_and_nothing_of_what_becomes_of_its_words() -> None:
    found = [path for path in sources("recorder") if path not in common("recorder")]
    assert found, "looked at nothing"
    for path in found:
        ours = {name for name in modules(path) if name.split(".")[0] in ROOMS}
        assert ours <= MAY_SAY, f"{path.relative_to(PROJECT)} imports {ours - MAY_SAY}"


def words(path: Path) -> set[str]:
    """All texts in a file, comments included, as far as they could be a name."""
    return set(re.findall(r"\w+", path.read_text()))


def test_no_file_for_every_client_knows_an_event_or_a_key_of_claude_code() -> None:
    claude = words(PROJECT / "recorder" / "clients" / "claude.py")
    assert set(EVENTS) | CLAUDE_KEYS <= claude, "a name that is looked for is none of the client's"
    for path in [*common("recorder"), *common("contract")]:
        told = words(path) & (set(EVENTS) - PLAIN_WORDS | CLAUDE_KEYS)
        told |= texts(path) & PLAIN_WORDS
        assert told <= OUR_OWN.get(path.name, set()), f"{path.relative_to(PROJECT)} knows {told}"


def texts(path: Path) -> set[str]:
    return {
        node.value
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_only_the_hooks_file_of_claude_code_reads_its_environment() -> None:
    told = {path.name for path in sources("recorder") if "CLAUDE_" in path.read_text()}
    assert told == {"claude.py"}


def test_the_wall_in_front_of_the_clients_has_no_hole() -> None:
    """Who is not a client's own adapter asks through `base`, and finds the adapters in the table."""
    clients = sorted(p.name for p in (PROJECT / "watcher" / "clients").iterdir() if (p / "__init__.py").exists())
    assert clients == sorted(CLIENTS), "each has a folder and a line in the table"
    inside = set(sources("watcher/clients"))
    outside = [path for room in ("watcher", "statusbar", "agency", "installer", "processes") for path in sources(room)]
    for path in set(outside) - inside:
        known = [
            name for name in modules(path) for client in clients if f"{name}.".startswith(f"watcher.clients.{client}.")
        ]
        assert not known, f"{path.relative_to(PROJECT)} imports {known}"


def test_no_file_but_the_table_names_a_client_whose_transcripts_are_read() -> None:
    """The front ends ask for glimpses; which client's file reads them, the table knows."""
    inside = sorted(path.stem for path in sources("conversations/clients") if path.name != "__init__.py")
    assert inside == sorted(conversations.clients.CLIENTS), "each has a file and a line in the table"
    rooms = [path for room in ("conversations", "statusbar", "agency") for path in sources(room)]
    for path in set(rooms) - set(sources("conversations/clients")):
        known = [name for name in modules(path) if name.startswith("conversations.clients.")]
        assert not known, f"{path.relative_to(PROJECT)} imports {known}"
        assert "AskUserQuestion" not in path.read_text(), path.relative_to(PROJECT)


def test_no_room_but_the_installer_asks_for_one_client_by_name() -> None:
    """What is true of every client is asked of the table `contract.clients`."""
    inside = {path for room in ("watcher", "contract", "usage") for path in sources(f"{room}/clients")}
    rooms = ("contract", "watcher", "statusbar", "processes", "usage")
    outside = {path for room in rooms for path in sources(room)} - inside
    clients = tuple(f"{room}.clients.{client}" for room in ("contract", "usage") for client in CLIENTS)
    for path in outside:
        named = [name for name in modules(path) if name.startswith(clients)]
        assert not named, f"{path.relative_to(PROJECT)} imports {named}"
        assert "CLAUDE_CONFIG_DIR" not in texts(path), path.relative_to(PROJECT)


def test_names_that_were_a_clients_stand_in_the_vocabulary_alone() -> None:
    """A rule that knows a tool or a notification by its name takes the name from there."""
    told = texts(PROJECT / "watcher" / "rules" / "vocabulary.py")
    assert {"Bash", "SendMessage", "ExitPlanMode", "sdk-cli", "elicitation_dialog"} <= told, "looked at nothing"
    rooms = [path for room in ("rules", "sessions", "teams", "output") for path in sources(f"watcher/{room}")]
    for path in rooms:
        known = texts(path) & told - PLAIN_DETAILS
        assert not known or path.name == "vocabulary.py", f"{path.relative_to(PROJECT)} knows {known}"


def test_no_sentence_of_a_client_is_read_but_by_its_adapter() -> None:
    sentence = " needs permission for "
    assert sentence in texts(PROJECT / "watcher" / "clients" / "claude" / "notifications.py"), "looked at nothing"
    for path in set(sources("watcher")) - set(sources("watcher/clients")):
        assert not [text for text in texts(path) if sentence in text], path.relative_to(PROJECT)


def fragments(path: Path) -> set[str]:
    """The fixed texts in a file, docstrings apart; those of an f-string with {} for what is filled in."""
    tree = ast.parse(path.read_text())
    inner = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    bare = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = [node for node in ast.walk(tree) if id(node) not in inner | bare]
    plain = {node.value for node in texts if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return plain | {_filled_in(node) for node in texts if isinstance(node, ast.JoinedStr)}


def _filled_in(text: ast.JoinedStr) -> str:
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in text.values)


def test_how_a_client_names_its_agents_teams_and_starts_is_known_by_its_adapter_alone() -> None:
    adapter = [fragments(PROJECT / "watcher" / "clients" / "claude" / name) for name in ("adapter.py", "team_names.py")]
    assert set.union(*adapter) >= CLAUDE_NAMES, "looked at nothing"
    for path in set(sources("watcher")) - set(sources("watcher/clients")):
        known = {text for text in fragments(path) for name in CLAUDE_NAMES if text.startswith(name)}
        assert known <= SHARED_NAMES.get(path.name, set()), f"{path.relative_to(PROJECT)} knows {known}"


def test_only_the_menubar_knows_rumps() -> None:
    rooms = ("watcher", "statusbar", "agency", "installer")
    users = [p.name for room in rooms for p in sources(room) if "rumps" in imported(p)]
    assert set(users) <= {"menubar.py"}


@pytest.mark.parametrize("module", ["statusbar.top.app", "statusbar.__main__", "statusbar.demo.demo"])
def test_what_a_person_waits_for_loads_no_event_loop(module: str) -> None:
    code = f"import sys, {module}; sys.exit('asyncio' in sys.modules or 'statusbar.menu.controller' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=PROJECT, check=False).returncode == 0
