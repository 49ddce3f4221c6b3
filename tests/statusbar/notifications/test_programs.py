"""Notifications by the desktop's own programs: what reaches them, and what is heard of them."""

from pathlib import Path

import pytest

from contract.status import WAITING
from statusbar.notifications.programs import MOST, SCRIPT, ByProgram, with_notify_send, with_osascript
from statusbar.notifications.screen import Happened, Shown, What
from statusbar.system import osascript
from support.desktop_programs import calls, program
from support.noticing import NOTICE, said
from support.patience import PATIENCE_S, until
from support.showing import HOSTILE, hostile


def test_notify_send_gets_words_that_are_no_options_and_no_markup() -> None:
    evil = NOTICE._replace(title="-x", body="<b>&\\074b\\n")
    assert with_notify_send(evil, sound=True) == [
        "notify-send", "--app-name=yourturn", "--urgency=critical", "--hint=string:sound-name:message-new-instant",
        "--", "-x", "&lt;b&gt;&amp;\\\\074b\\\\n",
    ]  # fmt: skip
    plain = with_notify_send(NOTICE._replace(state=WAITING), sound=False)
    assert plain[2:4] == ["--urgency=normal", "--hint=boolean:suppress-sound:true"]


def test_osascript_gets_a_fixed_script_and_the_words_as_arguments() -> None:
    evil = NOTICE._replace(title='" & (do shell script "touch x") & "', body="-e evil")
    argv = with_osascript(evil, sound=True)
    assert argv == ["osascript", "-e", SCRIPT.strip(), osascript.END_OF_OPTIONS, evil.title, evil.body, "Glass"]
    assert [with_osascript(evil, sound)[-1] for sound in (False, "Ping", "bell-terminal")] == ["", "Ping", "Glass"]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_words_are_cleaned_before_they_are_told(text: str) -> None:
    found = said((hostile(text),))
    assert found
    for notice in found:
        assert notice.title.isprintable()
        assert notice.body.isprintable()
        assert len(notice.title) < 120
        assert len(notice.body) <= 160
        for argv in (with_notify_send(notice, sound=True), with_osascript(notice, sound=True)):
            assert not [word for word in argv if "\0" in word]


def until_heard(screen: ByProgram) -> list[Happened]:
    found: list[Happened] = until(lambda: screen.read([]), "the end of the program")
    return found


@pytest.mark.parametrize(("code", "what"), [("", What.IS_SHOWN), ("sys.exit(1)", What.FAILED)])
def test_whether_the_program_could_show_it_is_heard(code: str, what: What, tools: Path) -> None:
    asked = program(tools, "notify-send", code)
    screen, shown = ByProgram(with_notify_send), Shown(NOTICE)
    assert screen.show(shown, sound=False)
    assert until_heard(screen) == [(what, shown, "")]
    assert calls(asked)[0][-2:] == [NOTICE.title, NOTICE.body]
    screen.close(PATIENCE_S)


def test_a_program_that_is_missing_is_noticed_at_once(tools: Path) -> None:
    assert not ByProgram(with_notify_send).show(Shown(NOTICE), sound=False)


def test_programs_that_hang_are_limited_and_none_is_left_at_the_end(tools: Path) -> None:
    program(tools, "notify-send", "import time; time.sleep(3600)")
    screen = ByProgram(with_notify_send)
    shown = [Shown(NOTICE) for _ in range(MOST + 1)]
    for one in shown:
        screen.show(one, sound=False)
    running = [process for _, process in screen._running]
    assert [one for one, _ in screen._running] == shown[1:]
    screen.close(0.0)
    assert all(process.returncode for process in running)
    assert len(running) == MOST
