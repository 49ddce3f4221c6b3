"""`yourturn go`: brings the terminal of an agent to the front, or says why it could not."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from answers import give
from contract import hosts, paths
from statusbar.model import agents, reader, targets, targets_by_title
from statusbar.model.names import session_name
from statusbar.model.targets import Ambiguous, Target, Unclear
from statusbar.terminals import (
    ancestry,
    ghostty,
    iterm2,
    jetbrains,
    kitty,
    remote,
    terminal_app,
    tmux,
    vscode,
    wezterm,
    x11,
)
from statusbar.terminals.whereabouts import TOOLS, Cannot, Whereabouts
from statusbar.text.width import tidy

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping, Sequence

    from contract.status import SessionStatus
    from statusbar.model.snapshot import Statuses

# In this order: inside an editor, the variables of the terminal that the editor was started in are set too.
TERMINALS: tuple[Any, ...] = (jetbrains, vscode, kitty, wezterm, ghostty, iterm2, terminal_app, x11)
OUTER = (
    "TERM_PROGRAM", "ITERM_SESSION_ID", "KITTY_WINDOW_ID", "KITTY_LISTEN_ON", "WEZTERM_PANE", "WEZTERM_UNIX_SOCKET",
    "GHOSTTY_RESOURCES_DIR", "TERMINAL_EMULATOR", "WINDOWID", "DISPLAY", "WAYLAND_DISPLAY", "SSH_TTY",
)  # fmt: skip
PATIENCE_S = 10.0
SHORT_PATIENCE_S = 0.5  # for a question that a front end waits for
ONE_OF_SEVERAL_S = 2.0  # for a terminal after which others are tried
LONGEST_NOTE = 400


class Outcome(NamedTuple):
    terminal: str  # the name of the terminal that was brought to the front
    is_there: bool
    notes: tuple[str, ...] = ()  # what could not be done, or what the person still has to do


Skipped = tuple["SessionStatus", Outcome]


def run(args: argparse.Namespace) -> int:
    statuses = reader.read(paths.home(), hosts=True)
    try:
        sessions = pick(statuses, args.target, blocked=args.next, unknown=statuses.unknown(time.time()))
    except Unclear as error:
        _report(args, None, Outcome("", is_there=False, notes=(str(error),)))
        return error.exit_code
    return _go_to_first(args, sessions)


def pick(
    statuses: Statuses, wanted: str | None, *, blocked: bool = False, unknown: str = ""
) -> Sequence[SessionStatus]:
    """The one that was named; else the blocked ones, the longest first; else the only session there is."""
    if wanted is not None:
        return [_with_terminal(targets_by_title.one(statuses, wanted, unknown=unknown), statuses)]
    heads = [session for session in agents.heads(statuses.sessions) if not session.hidden]
    asking = agents.blocked(statuses.up_to_date(time.time()).sessions)
    if asking or (len(heads) == 1 and not blocked):
        return asking or heads
    if unknown:
        raise Unclear(f"cannot tell which agent is blocked: {unknown}.")
    if blocked or not heads:
        raise Unclear("no agent is blocked." if heads else "no agent is running.")
    there = targets.listed(statuses, [Target(session) for session in heads])
    raise Ambiguous(f"no agent is blocked. Name one of these sessions:\n{there}")


def _with_terminal(target: Target, statuses: Statuses) -> SessionStatus:
    """A teammate in a pane of its own has a session of its own; every other agent is in the terminal of its session."""
    return (statuses.find(target.agent.key) if target.agent else None) or target.session


def _go_to_first(args: argparse.Namespace, sessions: Sequence[SessionStatus]) -> int:
    """The first that can be reached: a session whose terminal is unknown, or does not answer, is skipped."""
    skipped: list[Skipped] = []
    for session in sessions:
        is_here = bool(session.host) and not args.json and remote.is_at_terminal()
        outcome = bring(session, PATIENCE_S if session is sessions[-1] else ONE_OF_SEVERAL_S, at_terminal=is_here)
        if outcome.is_there:
            return _report(args, session, outcome, skipped)
        skipped.append((session, outcome))
    *others, (last, outcome) = skipped
    return _report(args, last, outcome, others)


def go(session: SessionStatus) -> str:
    """'' when its terminal is in front, else a sentence that says why it is not."""
    outcome = bring(session)
    return "" if outcome.is_there else f"Could not go to {session_name(session)}: {'; '.join(outcome.notes)}"


def bring(session: SessionStatus, patience_s: float = PATIENCE_S, *, at_terminal: bool = False) -> Outcome:
    """Never raises, whatever a terminal does. Each of its commands has so many seconds.

    `at_terminal`: a person typed the command, so their terminal may be used where no window can be opened.
    """
    give.release(paths.home(), session.session_id)
    try:
        if session.host:
            return Outcome(remote.go_to(session, at_terminal=at_terminal), is_there=True)
        _check_seen(session)
        where = _whereabouts(session)
        if tmux.is_home(where):
            _check_owner(tmux.socket(where))
            return _through_tmux(where, patience_s)
        return _raise(_around(where.terminal, _in_terminal(session), where.cwd), patience_s)
    except Cannot as error:
        return Outcome("", is_there=False, notes=(str(error),))


def _check_seen(session: SessionStatus) -> None:
    if session.unseen:
        raise Cannot("no terminal shows it: open one in its folder and resume it there")
    if session.shown_by == 0:
        raise Cannot("several terminals may show it, and none of them says that it does")


def _in_terminal(session: SessionStatus) -> int:
    """The process that the terminal is of; 0 if none is known."""
    return (session.pid if session.shown_by is None else session.shown_by) or 0


def is_seen(session: SessionStatus) -> bool:
    """Whether the person sees it right now. Only tmux knows: in other terminals another tab may cover it."""
    where = _recorded(session)
    if session.host or not tmux.is_home(where):
        return False
    try:
        _check_owner(tmux.socket(where))
        return tmux.is_seen([run_step(ask, SHORT_PATIENCE_S) for ask in tmux.asks_seen(where)])
    except Cannot:
        return False


def _check_owner(socket: str) -> None:
    """A tmux server can make its clients run any command, so a server of another user is not used."""
    with contextlib.suppress(OSError, ValueError):  # if there is no such socket, tmux itself says so
        if os.stat(socket).st_uid != os.getuid():
            raise Cannot("its tmux server belongs to another user")


def _recorded(session: SessionStatus) -> Whereabouts:
    """What the hook has recorded, without a look at the machine: enough for tmux."""
    return Whereabouts({k: v for k, v in session.terminal.items() if isinstance(v, str)}, session.cwd)


def _whereabouts(session: SessionStatus) -> Whereabouts:
    """If no hook has recorded a terminal, the environment of the process may name it."""
    where, pid = _recorded(session), _in_terminal(session)
    if where.terminal.keys() - {"TMUX_PANE"} or not pid:
        return where
    own = ancestry.environment(pid, (*OUTER, "TMUX", "TMUX_PANE"))
    return where._replace(terminal={**where.terminal, **own})


def _raise(where: Whereabouts, patience_s: float) -> Outcome:
    """Bring the window, and where that is possible the tab, to the front."""
    home = next((terminal for terminal in TERMINALS if terminal.is_home(where)), None)
    if home is None:
        raise Cannot(_unknown(where))
    for step in home.steps(where):
        run_step(step, patience_s)
    return Outcome(home.NAME, is_there=True, notes=(home.LIMIT,) if home.LIMIT else ())


def run_step(step: list[str], patience_s: float = PATIENCE_S) -> str:
    """What the command printed; raises Cannot with its error message if it failed."""
    name = step[2] if step[0] == "env" else step[0]
    try:
        done = subprocess.run(
            step, stdin=subprocess.DEVNULL, capture_output=True, timeout=patience_s, check=False, text=True,
            errors="replace",
        )  # fmt: skip
    except FileNotFoundError:
        raise Cannot(f"{name} is not installed, or not on PATH") from None
    except subprocess.TimeoutExpired:
        raise Cannot(f"{name} did not finish within {patience_s:g} s") from None
    except (OSError, ValueError) as error:
        raise Cannot(f"{name}: {tidy(str(error), 200)}") from None
    if done.returncode:
        raise Cannot(f"{name}: {tidy(done.stderr, 200) or f'exit code {done.returncode}'}")
    return done.stdout


def _through_tmux(where: Whereabouts, patience_s: float) -> Outcome:
    """First the pane, then the terminal that shows this tmux."""
    listed, session = (run_step(ask, patience_s) for ask in tmux.asks(where))
    client = tmux.chosen(tmux.clients(listed), session.strip())
    for step in tmux.steps(where, client, session.strip()):
        run_step(step, patience_s)
    if client is None:
        raise Cannot(f"no terminal shows its tmux. To see it: {tmux.attach(where)}")
    outer = _around({"tty": client.tty, **ancestry.environment(client.pid, OUTER)}, client.pid, where.cwd)
    try:
        outcome = _raise(outer, patience_s)
    except Cannot as error:
        return Outcome(tmux.NAME, is_there=True, notes=(f"its window may be behind others: {error}",))
    return Outcome(f"{tmux.NAME} in {outcome.terminal}", is_there=True, notes=outcome.notes)


def _around(terminal: Mapping[str, str], pid: int, cwd: str) -> Whereabouts:
    processes = ancestry.table()
    programs = ancestry.above(processes, pid)
    known = {"tty": ancestry.tty(processes, pid), "TERM_PROGRAM": ancestry.term_program(programs)}
    tools = frozenset(name for name in TOOLS if shutil.which(name))
    return Whereabouts({**known, **terminal}, cwd, programs, sys.platform, tools)


def _unknown(where: Whereabouts) -> str:
    if where.get("ZELLIJ_SESSION_NAME"):
        attach = f"zellij attach {where.word('ZELLIJ_SESSION_NAME')}"
        return f"it runs in zellij, which has no command to go to a pane. To see it: {attach}"
    if where.get("STY"):
        return f"it runs in screen, which has no command to go to a window. To see it: screen -x {where.word('STY')}"
    if where.get("SSH_TTY"):
        return "its terminal is on another machine, connected over ssh"
    if where.get("WAYLAND_DISPLAY"):
        return "Wayland does not let programs raise other windows, and this terminal has no command for it"
    tty = f" (it is on {where.tty()})" if where.tty() else ""
    return f"its terminal is unknown{tty}"


def _notes(outcome: Outcome) -> list[str]:
    return ["\n".join(_clean_lines(note)) for note in outcome.notes]


def _clean_lines(note: str) -> Iterator[str]:
    """Line breaks and indents are from this file; the text of each line may come from outside."""
    for line in note.split("\n"):
        indent = line[: len(line) - len(line.lstrip(" "))]
        yield indent + tidy(line, LONGEST_NOTE)


def _named(session: SessionStatus) -> dict[str, str]:
    return {"session_id": hosts.as_its_own(session).session_id, "host": session.host}


def _report(
    args: argparse.Namespace, session: SessionStatus | None, outcome: Outcome, skipped: Sequence[Skipped] = ()
) -> int:
    """Skipped sessions are named, with the reason: they are blocked too."""
    notes = _notes(outcome)
    if args.json:
        own = {"session_id": None, "host": ""} if session is None else _named(session)
        record = {"v": 1, "ok": outcome.is_there, **own}
        passed_over = [{**_named(other), "notes": _notes(why)} for other, why in skipped]
        print(json.dumps({**record, "terminal": outcome.terminal or None, "notes": notes, "passed_over": passed_over}))
    else:
        for other, why in skipped:
            print(f"yourturn: skipped {session_name(other)}: {'; '.join(_notes(why))}", file=sys.stderr)
        name = session_name(session) if session else ""
        if outcome.is_there:
            print(f"{name}: {outcome.terminal}")
        for note in notes:
            print(f"yourturn: {f'{name}: ' if name else ''}{note}", file=sys.stderr)
    return 0 if outcome.is_there else 1
