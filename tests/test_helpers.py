"""Hooks, servers and helpers that a client starts, and the moment after their end."""

from watcher.helpers import GONE_S, Helpers
from watcher.proc import Proc

HOOK = Proc(7, 1, "700", 14.05, "sh")
SERVER = Proc(8, 1, "300", 3.0, "node")


def test_a_hook_that_has_just_ended_may_still_hold_a_dialog_back_case_75() -> None:
    helpers = Helpers()
    assert helpers.look([HOOK, SERVER], 17.0) == (3.0, 14.05)
    assert helpers.look([SERVER], 17.1) == (3.0, 14.05), "the client has not said yet that the dialog is open"
    assert helpers.look([SERVER], 17.0 + GONE_S) == (3.0,)


def test_a_pid_that_is_used_again_is_another_helper() -> None:
    helpers = Helpers()
    helpers.look([HOOK], 17.0)
    assert helpers.look([HOOK._replace(start="701", began=17.05)], 17.1) == (14.05, 17.05)
