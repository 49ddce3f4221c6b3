"""The command that shows an agent's tmux on another machine: built of plain words, or not at all."""

from typing import Any

import pytest

from contract.hosts import Host
from statusbar.terminals import other_machine
from statusbar.terminals.whereabouts import Cannot
from support.showing import HOSTILE, session

TMUX = {"TMUX": "/tmp/tmux-1000/default,123,0", "TMUX_PANE": "%7"}


def argv(terminal: dict[str, Any], source: str = "ssh box") -> list[str]:
    return other_machine.argv(session("s1", host="box", terminal=terminal), Host("box", source))


def test_its_pane_is_chosen_and_shown() -> None:
    shown = ["tmux", "-u", "-S", "/tmp/tmux-1000/default", "attach-session", "-t", "%7"]
    assert argv(TMUX) == ["ssh", "-t", "box", *shown]


def test_the_words_of_the_person_stay() -> None:
    assert argv(TMUX, "/usr/bin/ssh -p 22 -J gate 'me@box'")[:7] == [
        "/usr/bin/ssh", "-t", "-p", "22", "-J", "gate", "me@box",
    ]  # fmt: skip


@pytest.mark.parametrize("text", [*HOSTILE.values(), "/tmp/a b", "/tmp/$(x)", "/t;x", "tmux", "-x", "/t'x", "/t\nx"])
def test_nothing_that_a_shell_would_read_is_handed_on(text: str) -> None:
    for terminal in ({**TMUX, "TMUX": f"{text},1,0"}, {**TMUX, "TMUX_PANE": text}, {**TMUX, "TMUX_PANE": f"%1{text}"}):
        with pytest.raises(Cannot, match="To log in: ssh box"):
            argv(terminal)


def test_what_it_cannot_do_is_said_with_what_the_person_can() -> None:
    with pytest.raises(Cannot, match=r"not in tmux on box.*To log in: ssh -p 22 box"):
        argv({}, "ssh -p 22 box")
    with pytest.raises(Cannot, match="not reached by ssh but by: docker exec -i dev"):
        argv(TMUX, "docker exec -i dev")
    with pytest.raises(Cannot, match="not reached by ssh but by: mqtts://broker"):
        argv(TMUX, "mqtts://broker")
    with pytest.raises(Cannot, match="nothing is known"):
        other_machine.argv(session("s1", host="box", terminal=TMUX), None)
    for broken in ("", "'ssh"):
        with pytest.raises(Cannot, match="not reached by ssh"):
            argv(TMUX, broken)
