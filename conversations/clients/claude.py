"""Claude Code's transcripts: one JSON object a line, written when it happens; titles are repeated now and then."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from contract.clean import clean
from conversations import plain_line
from conversations.backwards import Backwards, questions
from conversations.glimpse import NAME, TITLE, WORDS
from conversations.records import fields, items, of_line, tokens

if TYPE_CHECKING:
    from conversations.glimpse import Glimpse
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
    return _Transcript().read(ends)


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


class _Transcript(Backwards):
    def __init__(self) -> None:
        super().__init__()
        self._titles: dict[str, str] = {}
        self._worktree: str | None = None
        self._message: object = None  # the id of the last message: a question that is open is part of it

    @property
    def is_told(self) -> bool:
        return bool(self.words and self.model and self.is_past)

    def read(self, ends: Ends) -> Glimpse:
        told = super().read(ends)
        for line in ends.head() if not self._titles else ():
            if _is_title(line):
                self._title(of_line(line))
        title = next((self._titles[kind] for kind, _ in _TITLES if kind in self._titles), "")
        return told._replace(title=title, context_limit=_limit(self.model), worktree=self._worktree or "")

    def see(self, line: bytes) -> None:
        """A user's lines hold results, which may be huge: they are not parsed."""
        is_title = _is_title(line)
        self.is_named = bool(self._titles) and not is_title  # titles stand beside each other, and another may be better
        raw = of_line(line) if b'"assistant"' in line and not self.is_told else {}
        if raw.get("type") == "assistant":
            self._assistant(raw)
        elif b'"user"' in line:
            self._user(line)
        elif is_title:
            self._title(of_line(line))
        elif b'"worktree-state"' in line and self._worktree is None:
            self._worktree = clean(fields(of_line(line).get("worktreeSession")).get("worktreeName"), NAME)

    def _user(self, line: bytes) -> None:
        if _RESULT in line:
            self.result(line)
        elif not any(mark in line for mark in _ASIDE):
            # Whoever was given a new prompt does not wait for the answer to a question before it.
            self.is_past = True

    def _title(self, raw: dict[str, Any]) -> None:
        for kind, key in _TITLES:
            if raw.get("type") == kind and kind not in self._titles and (title := clean(raw.get(key), TITLE)):
                self._titles[kind] = title

    def _assistant(self, raw: dict[str, Any]) -> None:
        message = fields(raw.get("message"))
        if raw.get("isSidechain") is True or message.get("model") == MACHINE:
            return
        self._message = message.get("id") if self._message is None else self._message
        self.is_past = self.is_past or message.get("id") != self._message
        self.branch = self.branch or clean(raw.get("gitBranch"), NAME)
        if not self.model:
            self.model, self.tokens = clean(message.get("model"), NAME), _tokens(message.get("usage"))
        for block in reversed(items(message.get("content"))):
            self._block(block)

    def _block(self, block: dict[str, Any]) -> None:
        if block.get("type") == "text":
            self.said(block.get("text"))
        elif block.get("type") == "tool_use":
            self.asked(block.get("id"), _asked(block))


def _is_title(line: bytes) -> bool:
    return b'-title"' in line or b'"summary"' in line


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
