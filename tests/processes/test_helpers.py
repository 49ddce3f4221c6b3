"""Hooks, servers and helpers that a client starts, and the moment after their end."""

from processes.helpers import GONE_S, MOST, Helper, Helpers
from processes.process import Proc

HOOK = Proc(7, 1, "700", 14.05, "sh")
SERVER = Proc(8, 1, "300", 3.0, "node")


def test_a_hook_that_has_just_ended_may_still_hold_a_dialog_back_case_75() -> None:
    helpers = Helpers()
    assert helpers.look([HOOK, SERVER], 17.0) == (Helper(3.0), Helper(14.05))
    gone = (Helper(14.05, 17.0 + GONE_S), Helper(3.0))
    assert helpers.look([SERVER], 17.1) == gone, "the client has not said yet that the dialog is open"
    assert helpers.look([SERVER], 60.0) == gone, "what it held back stays known"


def test_a_pid_that_is_used_again_is_another_helper() -> None:
    helpers = Helpers()
    helpers.look([HOOK], 17.0)
    found = helpers.look([HOOK._replace(start="701", began=17.05)], 17.1)
    assert found == (Helper(14.05, 17.0 + GONE_S), Helper(17.05))


def test_of_helpers_that_come_and_go_only_the_last_are_remembered() -> None:
    helpers = Helpers()
    for number in range(3 * MOST):
        found = helpers.look([HOOK._replace(pid=number, began=float(number))], float(number))
    assert len(found) == MOST + 1
