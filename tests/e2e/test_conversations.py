"""What the real client's transcript tells while it runs: its last words, the question that is open, and its title."""

from __future__ import annotations

import glob
from typing import TYPE_CHECKING

from conversations.glimpse import NOTHING
from conversations.reader import read
from e2e.harness.patience import PATIENCE_S, until
from e2e.harness.script import ask, script, text, together

if TYPE_CHECKING:
    from conversations.glimpse import Glimpse
    from e2e.conftest import Clients
    from e2e.harness.client import Client

TOKENS = 4711


def glimpse(agent: Client) -> Glimpse:
    """As it is drawn: from the transcript as it is at this moment."""
    found = glob.glob(f"{agent.home.config}/projects/*/{agent.session_id}.jsonl")
    return read("claude", found[0]) if found else NOTHING


def becomes(agent: Client, **wanted: object) -> None:
    def is_so() -> bool:
        return wanted.items() <= glimpse(agent)._asdict().items()

    until(is_so, PATIENCE_S, lambda: f"never {wanted}: {glimpse(agent)}")


def test_words_question_title_and_context_are_told_as_the_client_writes_them(client: Clients) -> None:
    agent = client()
    question = {**ask("Which format?", "JSON", "TOML"), "text": "I have a question."}
    agent.say(script(together(question), text("## Done\n\nIt is **TOML** now.", tokens=TOKENS)))
    agent.wait_for_dialog("Which format?")
    becomes(agent, question="Which format?", last_words="I have a question.", branch="master")
    agent.answer("Enter")
    agent.wait_for_status("idle")
    becomes(agent, question="", last_words="It is TOML now.")
    found = glimpse(agent)
    assert found.model.startswith("claude-")
    assert found.context_tokens is not None
    assert found.context_tokens >= TOKENS
    assert found.context_limit
    agent.say("/rename login trouble")
    becomes(agent, title="login trouble", last_words="It is TOML now.")
