"""The commands that start and end agents, with their options. The module of a command is imported when it runs."""

from __future__ import annotations

import argparse
import signal

from statusbar.command import carefully

GRACE_S, LONGEST_S = 5.0, 3600.0
LONGEST_TASK_S, MOST_WORKERS = 7 * 86400.0, 128
TARGET = "a session: its id or name, or the beginning of it; SESSION/AGENT; a group such as @blocked that has only one"
JSON = "print JSON, for scripts"
SPAWN = """Start an agent in the background. It is on the board from its first moment, whether it has hooks or not, and
`kill` ends it. Its name and its id are printed. Its program gets AGENT_MODE=1, its own id in YOURTURN_AGENT
and its parent's in YOURTURN_PARENT."""
SPAWN_EPILOG = """An agent may do what its parent may, or less: a tool that the parent does not have is refused, and so
is a limit that its client cannot enforce. An agent that may run Bash can start another client without these limits.
Exit codes: 0 it runs (with --wait: its own); 1 it could not be started; 2 wrong usage; 3 refused."""
OTHER_PROGRAMS = "other programs"
WIDTH = 98
AGENTS = """List the agents that are described in the folder `agents` beside config.toml, one TOML file each, and check
them: program, model, tools, prompt, limits, folder."""
KILL = """End the process of a session: SIGTERM, then SIGKILL after a grace period. Asks first; without a terminal it
needs --yes. The process is compared by pid and start time right before each signal, so that no other process is ever
hit; if it is not certain which process it is, nothing is done."""
KILL_EPILOG = """The commands that an agent has started may outlive it: they are listed, and --tree ends them too, now
or later. An agent cannot end the session it runs in. Exit codes: 0 ended, or already gone; 1 it still runs, or the
audit cannot be written; 2 no such session; 3 refused, or several sessions match."""
DISPATCH = """Hand out a batch of tasks to workers, some at a time, and print what came of each as a line of JSON:
id, ok, outcome (completed, failed, killed, timeout, lost, not run), exit, reason, lasted, denials,
message, untrusted, session, after.

TASKS has one task a line: a command line (no shell runs it); with --agent a prompt; or a JSON object
with a "prompt" or a "command" and, as needed, "id", "after": [ids], "agent", "cwd", "timeout",
"untrusted". Empty lines and lines that begin with # do not count. The id of a task is its line
number, unless it has one. Everything is checked before anything is started."""
DISPATCH_EPILOG = """Example, three tasks of which the last waits for the others:

  {"id": "lint", "command": "make lint"}
  {"id": "issues", "agent": "reader", "prompt": "Which issues are new?", "untrusted": true}
  {"id": "report", "agent": "writer", "prompt": "Write report.md", "after": ["lint", "issues"]}

A task that fails fails those that wait for it; unless --keep-going is given, no further task is
begun then. What is marked as untrusted, and all that comes after it, has "untrusted": true in its
result. Ctrl-C, or `kill` of the row, ends all workers and what they have started. After a
kill -9, an interruption or a failure, --resume ID goes on with the same TASKS: what has run is not
run again, and what was running is waited for or told as lost.

Exit codes: 0 all tasks succeeded; 1 a task failed; 2 wrong usage, nothing was started; 3 refused;
130 interrupted; 143 terminated."""


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser], word: str = "") -> None:
    _register_spawn(subparsers, _enforced() if word in ("", "spawn") else SPAWN_EPILOG)
    _register_dispatch(subparsers)
    _register_kill(subparsers)


def _enforced() -> str:
    """The end of the help of `spawn`: what of --allow and --deny is enforced, for each client."""
    from textwrap import TextWrapper  # noqa: PLC0415 - other commands do without

    from agency import clients  # noqa: PLC0415 - as above

    plain = TextWrapper(WIDTH, break_on_hyphens=False)
    below = TextWrapper(WIDTH, break_on_hyphens=False, subsequent_indent="  ")
    said = [below.fill(f"{name}: {clients.enforced(name)}") for name in (*clients.CLIENTS, OTHER_PROGRAMS)]
    return "\n\n".join([plain.fill(SPAWN_EPILOG), "How far --allow and --deny are enforced:", *said])


def _register_spawn(subparsers: argparse._SubParsersAction[argparse.ArgumentParser], epilog: str) -> None:
    command = subparsers.add_parser("spawn", help="start an agent", description=SPAWN, epilog=epilog)
    command.formatter_class = argparse.RawDescriptionHelpFormatter
    command.usage = "yourturn spawn [options] -- COMMAND…\n       yourturn spawn [options] --agent NAME [PROMPT]"
    command.add_argument("command", nargs="*", metavar="COMMAND", help="the program and its arguments, after --")
    command.add_argument("--agent", metavar="NAME", help="an agent that is described in the folder of agents")
    command.add_argument("--name", metavar="N", help="what it is called; refused if one with that name runs")
    command.add_argument("--parent", metavar="TARGET", help="the agent that it works for (default: the one that asks)")
    command.add_argument("--cwd", metavar="D", help="the folder that it works in")
    _add_rights(command)
    command.add_argument("--ask", action="store_true", help="with --agent: ask me for what it may not do by itself")
    command.add_argument("--timeout", type=_seconds, metavar="S", help="end it after this many seconds")
    where = command.add_mutually_exclusive_group()
    where.add_argument("--tmux", action="store_true", help="in a window of tmux")
    where.add_argument("--wait", action="store_true", help="wait until it has ended, and exit with its exit code")
    where.add_argument("--output", metavar="FILE", help="write what it prints to this file; otherwise it is not kept")
    command.add_argument("--json", action="store_true", help=JSON)
    command.set_defaults(func=lambda args: carefully("agency.spawn", args))
    command = subparsers.add_parser(
        "agents", help="list and check the agents that you have described", description=AGENTS
    )
    command.add_argument("--json", action="store_true", help="print JSON, one object per line")
    command.set_defaults(func=lambda args: carefully("agency.agents", args))
    command = subparsers.add_parser("keep")  # only `spawn --tmux` uses it, so no help lists it
    command.add_argument("folder")
    command.set_defaults(func=lambda args: carefully("agency.tmux", args))


def _add_rights(command: argparse.ArgumentParser) -> None:
    command.add_argument("--allow", action="append", metavar="TOOL", help="only these tools; repeat for each")
    command.add_argument("--deny", action="append", metavar="TOOL", help="not these tools; repeat for each")


def _register_dispatch(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = subparsers.add_parser("dispatch", help="hand out tasks to workers", description=DISPATCH)
    command.formatter_class, command.epilog = argparse.RawDescriptionHelpFormatter, DISPATCH_EPILOG
    command.add_argument("tasks", metavar="TASKS", help="a file of tasks; - is standard input")
    command.add_argument("--workers", type=_workers, default=4, metavar="N", help="how many at a time (default: 4)")
    command.add_argument("--timeout", type=_task_seconds, metavar="S", help="end a task after this many seconds")
    command.add_argument("--keep-going", action="store_true", help="go on with other tasks when one has failed")
    command.add_argument("--at-end", action="store_true", help="print all results at the end, in the order of TASKS")
    command.add_argument("--resume", metavar="ID", help="go on with a batch whose dispatcher was ended")
    command.add_argument("--name", metavar="N", help="what the batch is called; workers are called N-ID")
    command.add_argument("--agent", metavar="NAME", help="the agent that gets the prompts; then each line is a prompt")
    command.add_argument("--cwd", metavar="D", help="the folder that they work in")
    _add_rights(command)
    command.set_defaults(func=lambda args: carefully("agency.dispatch.command", args))


def _register_kill(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = subparsers.add_parser("kill", help="end an agent", description=KILL, epilog=KILL_EPILOG)
    command.add_argument("target", metavar="TARGET", help=TARGET)
    command.add_argument("--tree", action="store_true", help="also end the processes below it, children first")
    command.add_argument("--signal", type=_signal, metavar="S", help="send only this signal, such as INT or 2")
    command.add_argument(
        "--grace", type=_grace, default=GRACE_S, metavar="S", help=f"seconds to wait after a signal ({GRACE_S:g})"
    )
    command.add_argument("--yes", "-y", action="store_true", help="do not ask")
    command.add_argument("--json", action="store_true", help=JSON)
    command.set_defaults(func=lambda args: carefully("agency.kill", args))


def _signal(word: str) -> signal.Signals:
    name = word.upper()
    try:
        return signal.Signals(int(word)) if word.isascii() and word.isdigit() else _named(name)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{word!r} is no signal; such as TERM, INT or 9") from None


def _named(name: str) -> signal.Signals:
    found = signal.Signals.__members__.get(name if name.startswith("SIG") else f"SIG{name}")
    if found is None:
        raise ValueError(name)
    return found


def _workers(word: str) -> int:
    if not (word.isascii() and word.isdigit() and 0 < int(word) <= MOST_WORKERS):
        raise argparse.ArgumentTypeError(f"{word!r} is not a number between 1 and {MOST_WORKERS}")
    return int(word)


def _task_seconds(word: str) -> float:
    return _seconds(word, LONGEST_TASK_S)


def _seconds(word: str, longest: float = LONGEST_S) -> float:
    seconds = _grace(word, longest)
    if not seconds:
        raise argparse.ArgumentTypeError("0 seconds are too short")
    return seconds


def _grace(word: str, longest: float = LONGEST_S) -> float:
    try:
        seconds = float(word)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= longest:  # also keeps NaN out
        raise argparse.ArgumentTypeError(f"{word!r} is not a number of seconds between 0 and {longest:g}")
    return seconds
