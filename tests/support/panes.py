"""A tmux that is shown in a terminal, with panes an agent could live in."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from support.showing import Terminal


def inner(one: Terminal, *words: str) -> str:
    return one.tmux("-L", "inner", *words).strip()


def shown(one: Terminal) -> str:
    """The pane that the terminal shows."""
    return inner(one, "list-clients", "-F", "#{pane_id}")


def attached(one: Terminal) -> dict[str, str]:
    """A tmux in a terminal, and what an agent in it would know of its pane; the terminal shows another one."""
    env = {"TMUX": "", "TMUX_PANE": "", "TERM_PROGRAM": ""}
    one.start("tmux", "-L", "inner", "-f", "/dev/null", "new-session", "-s", "main", "echo ready; sleep 3600", **env)
    one.until("ready")
    return {"TMUX": inner(one, "display-message", "-p", "#{socket_path}") + ",1,0"}


def new_pane(one: Terminal, *words: str) -> str:
    return inner(one, *words, "-d", "-P", "-F", "#{pane_id}", "sleep 3600")
