"""What the end of a transcript tells, as a value."""

from __future__ import annotations

from contract.named_tuple import NamedTuple

TITLE, WORDS, NAME = 80, 240, 100  # as long as a text of each kind may be


class Glimpse(NamedTuple):
    """All texts are clean lines. Words and questions are an agent's own: data, and nobody's command."""

    title: str = ""  # of the session, by a person or by its client
    last_words: str = ""  # what the main agent said last
    question: str = ""  # what the main agent asks now: a question, or the first line of a plan
    model: str = ""
    context_tokens: int | None = None  # in use as of the last reply
    context_limit: int | None = None  # None where it is not known for sure
    branch: str = ""
    worktree: str = ""

    @property
    def without_words(self) -> Glimpse:
        return self._replace(last_words="", question="")

    @property
    def context_share(self) -> float | None:
        """How much of the context is in use, from 0 to 1."""
        if self.context_tokens is None or not self.context_limit:
            return None
        return min(self.context_tokens / self.context_limit, 1.0)


NOTHING = Glimpse()
