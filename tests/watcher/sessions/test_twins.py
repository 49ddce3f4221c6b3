"""Two processes that have one session open: what of their transcript is whose."""

from support.turns import fold_all
from watcher.rules.turn import Turn
from watcher.rules.turn_events import Call, Prompt, Queued, Result
from watcher.sessions.twins import own_turn


def test_of_a_result_that_another_process_may_have_written_only_the_id_says_whose_it_is() -> None:
    both = fold_all(Turn(), [Prompt(1, False), Call(2, "t1", "Bash"), Result(3, "t1", None)])
    assert both.results == {"t1": Result(3, "t1", None, "Bash")}
    assert own_turn(Turn(), both).results == {"t1": Result(3, "t1", None)}


def test_a_prompt_that_was_taken_out_of_the_queue_waits_no_more() -> None:
    """Its hook may be told after that, and then nothing else tells that the turn has taken it in."""
    both = fold_all(Turn(), [Prompt(1, False), Queued(2, waits=True), Queued(2.1, waits=False)])
    assert own_turn(Turn(), both).taken_at == 2.1
