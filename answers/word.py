"""What a person answers: one line of JSON that goes through the pipe of a request."""

from __future__ import annotations

from answers.request import is_id
from contract import wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

VERSION = 1
ALLOW, DENY, ANSWER, RELEASE = "allow", "deny", "answer", "release"
DEEDS = (ALLOW, DENY, ANSWER, RELEASE)
NO = "The user denied this."  # what the model is told where the person gives no reason
LONGEST, MOST = 2000, 8  # characters of a text, and texts of one answer
# Bytes of a line. Every pipe has room for it; above 4 KB two that come at once may be mixed, and then neither counts.
LARGEST = 8 << 10


class Word:
    id = ""  # of the request
    tag = ""  # of this very answer, so that its outcome can be told from that of another one
    digest = ""  # of what was drawn
    deed = ""
    message = ""  # to the model, with a refusal
    texts: tuple[str, ...] = ()  # one for each question
    by = ""  # who says so: menu, tray, top, notification, command

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)


def encode(word: Word) -> bytes:
    """ValueError, in words for a person, if it is too long for the pipe."""
    for text in (word.message, *word.texts):
        if len(text) > LONGEST:
            raise ValueError(f"an answer may have {LONGEST} characters; this one has {len(text)}")
    if len(word.texts) > MOST:
        raise ValueError(f"an answer may have {MOST} parts; this one has {len(word.texts)}")
    raw = {"v": VERSION, "id": word.id, "tag": word.tag, "digest": word.digest, "deed": word.deed, "by": word.by}
    line = wire.encode({**raw, "message": word.message, "texts": list(word.texts)}) + b"\n"
    if len(line) > LARGEST:
        raise ValueError(f"the answer is too long: it takes {len(line)} bytes of {LARGEST}")
    return line


def decode(line: bytes) -> Word | None:
    """None for anything else."""
    try:
        raw = wire.decode(line)
    except ValueError:
        return None
    if not isinstance(raw, dict) or raw.get("v") != VERSION or raw.get("deed") not in DEEDS:
        return None
    if not is_id(raw.get("id")) or not is_id(raw.get("tag")):
        return None
    digest, message, texts, by = (raw.get(name) for name in ("digest", "message", "texts", "by"))
    if not all(isinstance(text, str) and len(text) <= LONGEST for text in (digest, message, by)):
        return None
    if not isinstance(texts, list) or len(texts) > MOST:
        return None
    if not all(isinstance(text, str) and len(text) <= LONGEST for text in texts):
        return None
    more = {"deed": raw["deed"], "message": message, "texts": tuple(texts), "by": by}
    return Word(id=raw["id"], tag=raw["tag"], digest=digest, **more)
