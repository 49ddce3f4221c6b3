"""What comes through the pipe of an open request: the first answer that fits counts; what does not is noted."""

from __future__ import annotations

import posix
import time

from answers import record, word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from answers.open_requests import Held
    from answers.request import Request
    from answers.word import Word

FITS = {
    "permission": (word.ALLOW, word.DENY),
    "plan": (word.ALLOW, word.DENY),
    "question": (word.ANSWER, word.DENY),
}


class AnswerReader:
    """Of one request. What was read of a line that has not ended is kept until the rest comes."""

    def __init__(self, home: str, held: Held) -> None:
        self._home, self._held, self._rest = home, held, b""

    def read(self) -> Word | None:
        """Of what can be read now; None if nothing of it counts. Whoever calls it knows that there is something."""
        *lines, rest = (self._rest + posix.read(self._held.fd, word.LARGEST)).split(b"\n")
        self._rest = rest if len(rest) <= word.LARGEST else b""
        for line in lines:
            answer = word.decode(line)
            wrong = fault(answer, self._held.request) if answer else "not an answer"
            if answer and not wrong:
                return answer
            noted = f"{record.REFUSED}: {wrong}"
            record.note(self._home, self._held.request, time.time(), noted, answer or record.NOBODY)
        return None


def fault(answer: Word, request: Request) -> str:
    """Why it does not count; '' if it does."""
    if answer.id != request.id:
        return "of another request"
    if answer.deed == word.RELEASE:
        return "no terminal shows it" if request.host else ""
    if answer.digest != request.digest():
        return "what was shown is not what is asked"
    return "" if answer.deed in FITS[request.kind] else "no answer to this"
