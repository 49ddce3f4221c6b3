"""`yourturn go`: brings the terminal of an agent to the front, and says what it could not do and why."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from contract import paths
from contract.status import NEEDS_APPROVAL
from statusbar.cli.explain import Unclear, choose
from statusbar.model import agents, reader
from statusbar.model.rows import session_name
from statusbar.terminals import ancestry, ghostty, iterm2, jetbrains, kitty, terminal_app, tmux, vscode, wezterm, x11
from statusbar.terminals.whereabouts import TOOLS, Cannot, Whereabouts
from statusbar.text.width import tidy

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping, Sequence

    from contract.status import SessionStatus
    from statusbar.model.snapshot import Statuses

# In this order: what an editor or a multiplexer starts inherits the names of the terminal around it.
TERMINALS: tuple[Any, ...] = (jetbrains, vscode, kitty, wezterm, ghostty, iterm2, terminal_app, x11)
OUTER = (
    "TERM_PROGRAM", "ITERM_SESSION_ID", "KITTY_WINDOW_ID", "KITTY_LISTEN_ON", "WEZTERM_PANE", "WEZTERM_UNIX_SOCKET",
    "GHOSTTY_RESOURCES_DIR", "TERMINAL_EMULATOR", "WINDOWID", "DISPLAY", "WAYLAND_DISPLAY", "SSH_TTY",
)  # fmt: skip
PATIENCE_S = 10.0
GLANCE_S = 0.5  # for a question that a front end waits for
LONGEST_NOTE = 400


class Outcome(NamedTuple):
    terminal: str  # the name of what was brought to the front
    is_there: bool
    notes: tuple[str, ...] = ()  # what could not be done, or is left to a person


Passed = tuple["SessionStatus", Outcome]


def run(args: argparse.Namespace) -> int:
    statuses = reader.read(paths.home())
    try:
        meant = pick(statuses, args.session, blocked=args.next, unknown=statuses.unknown(time.time()))
    except Unclear as trouble:
        return _say(args, None, Outcome("", is_there=False, notes=(str(trouble),)))
    return _go_to_first(args, meant)


def pick(
    statuses: Statuses, wanted: str | None, *, blocked: bool = False, unknown: str = ""
) -> Sequence[SessionStatus]:
    """The one that was named; else those that are blocked, the longest first; else the only one there is."""
    if wanted is not None:
        return choose(statuses, wanted, unknown=unknown)
    heads = [one for one in agents.heads(statuses.sessions) if not one.hidden]
    asking = [one for one in heads if one.status == NEEDS_APPROVAL]
    if asking or (len(heads) == 1 and not blocked):
        return asking or heads
    if unknown:
        raise Unclear(f"nobody knows who is blocked: {unknown}.")
    if blocked or not heads:
        raise Unclear("nobody is blocked." if heads else "no agent is running.")
    names = "\n".join(f"  {session_name(one)}" for one in heads)
    raise Unclear(f"nobody is blocked. Say which one you mean:\n{names}")


def _go_to_first(args: argparse.Namespace, meant: Sequence[SessionStatus]) -> int:
    """The first that can be reached: one whose terminal nobody knows must not bar the way to the others."""
    passed: list[Passed] = []
    for session in meant:
        found = bring(session)
        if found.is_there:
            return _say(args, session, found, passed)
        passed.append((session, found))
    *others, (last, found) = passed
    return _say(args, last, found, others)


def go(session: SessionStatus) -> str:
    """'' when its terminal is in front, else a sentence on why it is not."""
    found = bring(session)
    return "" if found.is_there else f"Could not go to {session_name(session)}: {'; '.join(found.notes)}"


def bring(session: SessionStatus) -> Outcome:
    """Never raises for what a terminal does."""
    try:
        where = _found(session)
        if tmux.is_home(where):
            _check_owner(tmux.socket(where))
            return _through_tmux(where)
        return _raise(_around(where.terminal, session.pid or 0, where.cwd))
    except Cannot as why:
        return Outcome("", is_there=False, notes=(str(why),))


def is_seen(session: SessionStatus) -> bool:
    """Whether it is in front of a person right now. Only tmux can tell: elsewhere another tab may cover it."""
    where = _known(session)
    if not tmux.is_home(where):
        return False
    try:
        _check_owner(tmux.socket(where))
        return tmux.is_seen([run_step(ask, GLANCE_S) for ask in tmux.asks_seen(where)])
    except Cannot:
        return False


def _check_owner(socket: str) -> None:
    """A server of tmux can make its clients run what it likes: that of somebody else is not spoken to."""
    with contextlib.suppress(OSError, ValueError):  # one that is not there is tmux's own business
        if os.stat(socket).st_uid != os.getuid():
            raise Cannot("its tmux belongs to somebody else")


def _known(session: SessionStatus) -> Whereabouts:
    """What was recorded, without a look at the machine: enough for tmux."""
    return Whereabouts({k: v for k, v in session.terminal.items() if isinstance(v, str)}, session.cwd)


def _found(session: SessionStatus) -> Whereabouts:
    """Where no hook has told of a terminal, the process itself may know it."""
    where = _known(session)
    if where.terminal.keys() - {"TMUX_PANE"} or not session.pid:
        return where
    own = ancestry.environment(session.pid, (*OUTER, "TMUX", "TMUX_PANE"))
    return where._replace(terminal={**where.terminal, **own})


def _raise(where: Whereabouts) -> Outcome:
    """Bring the window, and where that is possible the tab, to the front."""
    home = next((one for one in TERMINALS if one.is_home(where)), None)
    if home is None:
        raise Cannot(_unknown(where))
    for step in home.steps(where):
        run_step(step)
    return Outcome(home.NAME, is_there=True, notes=(home.LIMIT,) if home.LIMIT else ())


def run_step(step: list[str], patience_s: float = PATIENCE_S) -> str:
    """What the command said; Cannot in its own words if it failed."""
    name = step[2] if step[0] == "env" else step[0]
    try:
        said = subprocess.run(
            step, stdin=subprocess.DEVNULL, capture_output=True, timeout=patience_s, check=False, text=True,
            errors="replace",
        )  # fmt: skip
    except FileNotFoundError:
        raise Cannot(f"{name} is not installed, or not on PATH") from None
    except subprocess.TimeoutExpired:
        raise Cannot(f"{name} did not succeed within {patience_s:g} s") from None
    except (OSError, ValueError) as error:
        raise Cannot(f"{name}: {tidy(str(error), 200)}") from None
    if said.returncode:
        raise Cannot(f"{name}: {tidy(said.stderr, 200) or f'ended with {said.returncode}'}")
    return said.stdout


def _through_tmux(where: Whereabouts) -> Outcome:
    """First the pane, then the terminal in which that tmux is shown."""
    listed, session = (run_step(ask) for ask in tmux.asks(where))
    client = tmux.chosen(tmux.clients(listed), session.strip())
    for step in tmux.steps(where, client, session.strip()):
        run_step(step)
    if client is None:
        raise Cannot(f"no terminal shows that tmux. To see it: {tmux.attach(where)}")
    outer = _around({"tty": client.tty, **ancestry.environment(client.pid, OUTER)}, client.pid, where.cwd)
    try:
        around = _raise(outer)
    except Cannot as why:
        return Outcome(tmux.NAME, is_there=True, notes=(f"its window may lie behind others: {why}",))
    return Outcome(f"{tmux.NAME} in {around.terminal}", is_there=True, notes=around.notes)


def _around(terminal: Mapping[str, str], pid: int, cwd: str) -> Whereabouts:
    processes = ancestry.table()
    programs = ancestry.above(processes, pid)
    known = {"tty": ancestry.tty(processes, pid), "TERM_PROGRAM": ancestry.term_program(programs)}
    tools = frozenset(name for name in TOOLS if shutil.which(name))
    return Whereabouts({**known, **terminal}, cwd, programs, sys.platform, tools)


def _unknown(where: Whereabouts) -> str:
    if where.get("ZELLIJ_SESSION_NAME"):
        return f"it runs in zellij, which lets nobody choose a pane: zellij attach {where.word('ZELLIJ_SESSION_NAME')}"
    if where.get("STY"):
        return f"it runs in screen, which lets nobody choose a window: screen -x {where.word('STY')}"
    if where.get("SSH_TTY"):
        return "its terminal is on another machine, at the other end of ssh"
    if where.get("WAYLAND_DISPLAY"):
        return (
            "Wayland lets no program bring another one's window to the front, and this terminal has no way of its own"
        )
    tty = f" (it is on {where.tty()})" if where.tty() else ""
    return f"which terminal it runs in is not known{tty}"


def _notes(found: Outcome) -> list[str]:
    return ["\n".join(_clean_lines(note)) for note in found.notes]


def _clean_lines(note: str) -> Iterator[str]:
    """Several lines are a list of ours; what stands in one comes from outside."""
    for line in note.split("\n"):
        indent = line[: len(line) - len(line.lstrip(" "))]
        yield indent + tidy(line, LONGEST_NOTE)


def _say(args: argparse.Namespace, session: SessionStatus | None, found: Outcome, passed: Sequence[Passed] = ()) -> int:
    """What was passed over is named with the reason: somebody waits there too."""
    notes = _notes(found)
    if args.json:
        said = {"v": 1, "ok": found.is_there, "session_id": session.session_id if session else None}
        over = [{"session_id": one.session_id, "notes": _notes(why)} for one, why in passed]
        print(json.dumps({**said, "terminal": found.terminal or None, "notes": notes, "passed_over": over}))
    else:
        for one, why in passed:
            print(f"yourturn: passed over {session_name(one)}: {'; '.join(_notes(why))}", file=sys.stderr)
        name = session_name(session) if session else ""
        if found.is_there:
            print(f"{name}: {found.terminal}")
        for note in notes:
            print(f"yourturn: {f'{name}: ' if name else ''}{note}", file=sys.stderr)
    return 0 if found.is_there else 1
