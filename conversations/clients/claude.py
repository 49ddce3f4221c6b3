"""Claude Code's transcripts: one JSON object a line, written when it happens; titles are repeated now and then."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from contract.clean import clean
from conversations import plain_line
from conversations.backwards import TITLES_WITHIN, questions
from conversations.glimpse import NAME, TITLE, WORDS, Glimpse
from conversations.records import fields, of_line, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable

    from conversations.transcript_ends import Ends

MACHINE = "<synthetic>"  # the model of what the client itself wrote in the agent's place
MILLION, FIFTH = 1_000_000, 200_000
# As of November 2026, from Claude Code 2.1.325 itself. Of Opus 4.6 and Sonnet 4 to 4.6 there are two sizes, and a
# transcript does not tell which was chosen: they are not here.
LIMITS = {
    "claude-fable-5": MILLION, "claude-fable-5-1": MILLION, "claude-fable-5-2": MILLION,
    "claude-opus-5-5": MILLION, "claude-opus-5": MILLION, "claude-opus-4-8": MILLION, "claude-opus-4-7": MILLION,
    "claude-opus-4-5": FIFTH, "claude-opus-4-1": FIFTH, "claude-opus-4": FIFTH,
    "claude-sonnet-5-5": MILLION, "claude-sonnet-5": MILLION,
    "claude-haiku-5-5": MILLION, "claude-haiku-4-5": FIFTH,
}  # fmt: skip
DATE = len("20251001")
# Plain bytes and no patterns: to compile one takes as long as to read two transcripts.
_RESULT = b'"tool_use_id"'
_ASIDE = (b'"isMeta":true', b'"isMeta": true', b'"isSidechain":true', b'"isSidechain": true')
# Where each title is, the best first.
_TITLES = (("custom-title", "customTitle"), ("ai-title", "aiTitle"), ("summary", "summary"))


def glimpse(ends: Ends) -> Glimpse:
    story = _Backwards()
    for line in ends.backwards():
        story.see(line)
        if story.is_told and (story.is_named or ends.read > TITLES_WITHIN):
            break
    return story.glimpse(ends.head() if not story.titles else ())


def beside(_path: str) -> str:
    return ""


def written(glimpse: Glimpse) -> bytes:
    asked = {"questions": [{"question": glimpse.question}]}
    blocks: list[dict[str, Any]] = [{"type": "text", "text": glimpse.last_words}]
    if glimpse.question:
        blocks.append({"type": "tool_use", "id": "toolu_1", "name": "AskUserQuestion", "input": asked})
    usage = {"input_tokens": glimpse.context_tokens}
    message = {"id": "msg_1", "role": "assistant", "model": glimpse.model, "content": blocks, "usage": usage}
    lines: list[dict[str, Any]] = [
        {"type": "user", "message": {"role": "user", "content": ""}},
        {"type": "ai-title", "aiTitle": glimpse.title},
        {"type": "worktree-state", "worktreeSession": {"worktreeName": glimpse.worktree}},
        {"type": "assistant", "gitBranch": glimpse.branch, "message": message},
    ]
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


class _Backwards:
    """What the lines tell, from the last to the first: of each kind, the first that comes counts."""

    def __init__(self) -> None:
        self.titles: dict[str, str] = {}
        self._words = self._question = self._model = self._branch = ""
        self._worktree: str | None = None
        self._tokens: int | None = None
        self._results: list[bytes] = []
        self._message: object = None  # the id of the last message: a question that is open is part of it
        self._is_past = False  # whether the last message was seen as a whole
        self.is_named = False  # whether there is a title, and none beside it that may be better

    @property
    def is_told(self) -> bool:
        return bool(self._words and self._model and self._is_past)

    def see(self, line: bytes) -> None:
        """A user's lines hold results, which may be huge: they are not parsed."""
        is_title = b'-title"' in line or b'"summary"' in line
        self.is_named = bool(self.titles) and not is_title
        raw = of_line(line) if b'"assistant"' in line and not self.is_told else {}
        if raw.get("type") == "assistant":
            self._assistant(raw)
        elif b'"user"' in line:
            self._user(line)
        elif is_title:
            self._title(of_line(line))
        elif b'"worktree-state"' in line and self._worktree is None:
            self._worktree = clean(fields(of_line(line).get("worktreeSession")).get("worktreeName"), NAME)

    def glimpse(self, head: Iterable[bytes]) -> Glimpse:
        for line in head:
            if b'-title"' in line or b'"summary"' in line:
                self._title(of_line(line))
        title = next((self.titles[kind] for kind, _ in _TITLES if kind in self.titles), "")
        return Glimpse(
            title, self._words, self._question, self._model, self._tokens, _limit(self._model), self._branch,
            self._worktree or "",
        )  # fmt: skip

    def _user(self, line: bytes) -> None:
        if _RESULT in line:
            self._results.append(line)
        elif not any(mark in line for mark in _ASIDE):
            # Whoever was given a new prompt does not wait for the answer to a question before it.
            self._is_past = True

    def _title(self, raw: dict[str, Any]) -> None:
        for kind, key in _TITLES:
            if raw.get("type") == kind and kind not in self.titles and (title := clean(raw.get(key), TITLE)):
                self.titles[kind] = title

    def _assistant(self, raw: dict[str, Any]) -> None:
        message = fields(raw.get("message"))
        if raw.get("isSidechain") is True or message.get("model") == MACHINE:
            return
        self._message = message.get("id") if self._message is None else self._message
        self._is_past = self._is_past or message.get("id") != self._message
        self._branch = self._branch or clean(raw.get("gitBranch"), NAME)
        if not self._model:
            self._model, self._tokens = clean(message.get("model"), NAME), _tokens(message.get("usage"))
        for block in reversed(_list(message.get("content"))):
            self._block(fields(block))

    def _block(self, block: dict[str, Any]) -> None:
        if block.get("type") == "text" and not self._words:
            self._words = plain_line.first_sentence(block.get("text"), WORDS)
        elif block.get("type") == "tool_use" and not self._is_past and not self._question:
            self._question = _asked(block)
            id_ = json.dumps(block.get("id")).encode()
            if self._question and any(id_ in result for result in self._results):
                self._question = ""


def _asked(block: dict[str, Any]) -> str:
    given = fields(block.get("input"))
    if block.get("name") == "ExitPlanMode":
        return plain_line.headline(given.get("plan"), WORDS)
    if block.get("name") != "AskUserQuestion":
        return ""
    return questions(given.get("questions"))


def _limit(model: str) -> int | None:
    name, _, date = model.rpartition("-")
    return LIMITS.get(name if len(date) == DATE and date.isdigit() else model)


def _tokens(usage: object) -> int | None:
    """All that the model was given for its last reply; None where the client did not say."""
    given = fields(usage)
    keys = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    counts = [count for key in keys if (count := tokens(given.get(key))) is not None]
    return sum(counts) if counts else None


def _list(raw: object) -> list[Any]:
    return raw if isinstance(raw, list) else []
