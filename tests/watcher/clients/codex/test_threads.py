"""What the daemon says of its threads, in our words."""

from __future__ import annotations

from typing import Any

import pytest

from support.codex_daemon import thread
from watcher.clients.codex.threads import Standing, sessions, threads

IDLE, BUSY = Standing("idle"), Standing("busy")


def standings(*told: dict[str, Any]) -> dict[str, Standing]:
    return {one.id[-2:]: one.standing for one in sessions(threads(told))}


@pytest.mark.parametrize(
    ("status", "flags", "standing"),
    [
        ("idle", (), IDLE),
        ("systemError", (), IDLE),
        ("active", (), BUSY),
        ("active", ("somethingNew",), BUSY),
        ("active", ("waitingOnApproval",), Standing("waiting", "permission prompt")),
        ("active", ("waitingOnUserInput",), Standing("waiting", "input needed")),
    ],
)
def test_each_status_has_its_word(status: str, flags: tuple[str, ...], standing: Standing) -> None:
    asked = ("main",) if standing.status == "waiting" else ()
    assert standings(thread(1, status, *flags)) == {"01": standing._replace(asked=asked)}


@pytest.mark.parametrize("status", [{"type": "notLoaded"}, {"type": "new"}, {"type": 7}, {}, [], None, "idle"])
def test_what_is_not_loaded_or_not_known_is_not_told(status: Any) -> None:
    assert standings({**thread(1), "status": status}) == {}


def test_makers_of_titles_are_nobodys_session() -> None:
    assert standings(thread(1), thread(2, "active", ephemeral=True)) == {"01": IDLE}


def test_a_session_stands_as_the_most_urgent_of_its_agents() -> None:
    main, kid, grandchild = thread(1), thread(2, "active"), thread(3, "active", "waitingOnApproval")
    kid["parentThreadId"], grandchild["parentThreadId"] = main["id"], kid["id"]
    assert standings(main, kid) == {"01": BUSY}
    assert standings(main, kid, grandchild) == {"01": Standing("waiting", "permission prompt", (grandchild["id"],))}


def test_threads_that_are_each_others_parents_do_not_hold_it() -> None:
    one, two = thread(1, parentThreadId=thread(2)["id"]), thread(2, parentThreadId=thread(1)["id"])
    assert standings(one, two) == {}


@pytest.mark.parametrize("odd", [None, -7, [], {}, "x" * 100_000, "a\nb"])
def test_values_of_any_other_kind_are_left_out(odd: Any) -> None:
    told = {**thread(1), "cwd": odd, "name": odd, "path": odd, "createdAt": odd, "parentThreadId": None}
    (found,) = threads([told])
    assert (found.cwd, found.path, found.created) == ("", "", 0.0)
    assert len(found.name) <= 120
    assert threads([{**thread(1), "id": odd}]) == []


def test_one_of_another_program_is_not_expected_in_a_terminal() -> None:
    (found,) = threads([thread(1, originator="codex_vscode")])
    assert not found.is_of_a_terminal


def test_of_a_session_it_is_told_which_of_its_agents_are_asked() -> None:
    main = thread(1, "active")
    subs = [thread(2, "active", "waitingOnApproval"), thread(3, "active")]
    told = standings(main, *({**sub, "parentThreadId": main["id"]} for sub in subs))
    assert told["01"] == Standing("waiting", "permission prompt", (subs[0]["id"],))
