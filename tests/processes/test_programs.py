"""Which processes are coding agents."""

from __future__ import annotations

import pytest

from processes.programs import PROGRAMS, invocation

AGENTS = [
    ("claude", ["claude"]),
    ("claude", ["/home/me/.local/bin/claude", "--permission-mode", "default"]),
    ("claude", ["/home/me/node_modules/@anthropic-ai/claude-code/bin/claude.exe"]),
    ("claude", ["/home/me/.local/share/claude/versions/2.1.325", "-p", "hello"]),
    ("claude", ["node", "/usr/local/bin/claude"]),
    ("claude", ["/usr/bin/node", "--no-warnings", "--max-old-space-size=4096", "/usr/bin/claude", "-c"]),
    ("claude", ["node", "-r", "/home/me/patch.js", "/usr/bin/claude"]),
    ("claude", ["node", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js"]),
    ("claude", ["bun", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli-wrapper.cjs"]),
    ("codex", ["/opt/codex/codex-x86_64-unknown-linux-musl", "exec", "fix it"]),
    ("codex", ["node", "/usr/lib/node_modules/@openai/codex/bin/codex.js"]),
    ("gemini", ["node", "/usr/bin/gemini", "-y"]),
    ("gemini", ["node", "/usr/lib/node_modules/@google/gemini-cli/dist/index.js"]),
    ("opencode", ["opencode-linux-x64"]),
    ("copilot", ["node", "/usr/lib/node_modules/@github/copilot/index.js"]),
    ("aider", ["/home/me/.venv/bin/python3.12", "/home/me/.venv/bin/aider", "--model", "x"]),
    ("aider", ["python3", "-m", "aider"]),
    ("goose", ["goose", "session"]),
    ("cursor-agent", ["cursor-agent"]),
]
OTHERS = [
    [],
    [""],
    ["/"],
    ["bash", "-c", "claude -p hello"],
    ["rg", "--no-config", "claude"],
    ["node"],
    ["node", "server.js"],
    ["node", "/home/me/claude/server.js"],
    ["python3", "-c", "print('/usr/bin/claude"],
    ["node", "-e", "/usr/bin/claude"],
    ["python3", "/home/me/src/aider/setup.py"],
    ["/Applications/Claude.app/Contents/MacOS/Claude"],
    ["claude-desktop"],
    ["vim", "claude"],
    ["tmux: client"],
    ["/home/me/claude/run"],
    ["/srv/app/versions/3"],
]


@pytest.mark.parametrize(
    ("program", "argv"), AGENTS, ids=lambda value: " ".join(value)[-60:] if isinstance(value, list) else value
)
def test_an_agent_is_recognised_by_its_arguments(program: str, argv: list[str]) -> None:
    found = invocation(tuple(argv))
    assert found
    assert found.program == program
    assert not found.hosts
    assert not found.serves


@pytest.mark.parametrize("argv", OTHERS, ids=lambda argv: " ".join(argv)[-60:] or "nothing")
def test_another_program_is_no_agent(argv: list[str]) -> None:
    assert invocation(tuple(argv)) is None


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_program_of_the_table_is_recognised_by_its_name(program: str) -> None:
    found = invocation((f"/usr/bin/{program}",))
    assert found
    assert found.program == program


def test_the_name_decides_only_where_no_argument_can_be_read() -> None:
    assert invocation((), "claude")
    assert invocation((), "bash") is None
    assert invocation(("rg", "--no-config", "x"), "claude") is None


@pytest.mark.parametrize(
    "argv",
    [
        ["/home/me/.local/share/claude/versions/2.1.325", "daemon", "run", "--origin", "transient"],
        ["claude daemon"],
        [
            "claude bg-pty-host",
            "--bg-pty-host",
            "/tmp/s",
            "200",
            "50",
            "--",
            "claude",
            "--bg-spare",
            "/tmp/n",
        ],
        ["claude bg-spare", "--bg-spare", "/tmp/n"],
        ["claude", "--bg-spare", "/tmp/n"],
        ["node", "/usr/bin/claude", "--bg-pty-host", "/tmp/s"],
    ],
    ids=" ".join,
)
def test_a_host_of_sessions_is_told_from_a_session(argv: list[str]) -> None:
    found = invocation(tuple(argv))
    assert found
    assert found.hosts


@pytest.mark.parametrize(
    "argv",
    [["claude", "mcp", "serve"], ["claude", "agents", "--json"], ["codex", "mcp-server"], ["goose", "up"]],
    ids=" ".join,
)
def test_a_service_of_an_agent_program_is_no_agent(argv: list[str]) -> None:
    found = invocation(tuple(argv))
    assert found
    assert found.serves


def test_a_prompt_that_speaks_of_hosts_makes_none() -> None:
    found = invocation(("claude", "-p", "--bg-spare"))
    assert found
    assert not found.hosts
