"""Transcripts with tokens in them, and a plain recount of these: slow, simple, and nothing of ours in it."""

from __future__ import annotations

import json
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from contract import paths
from usage import count, days, ledger

if TYPE_CHECKING:
    from usage.tokens import Tokens

NOON = datetime(2026, 11, 17, 12, 0, tzinfo=UTC).timestamp()
MODEL = "claude-opus-5-5"
Sums = dict[tuple[str, str, str], Counter[str]]  # by session, day and model


def stamp(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def usage(output: int = 40, **more: Any) -> dict[str, Any]:
    return {"input_tokens": 3, "cache_read_input_tokens": 5000, "output_tokens": output, **more}


def answer(name: str, output: int = 40, at: float | None = NOON, **more: Any) -> dict[str, Any]:
    """One line of an answer. `spent` replaces its figures."""
    spent, model = more.pop("spent", None), more.pop("model", MODEL)
    message = {"id": f"msg_{name}", "model": model, "role": "assistant", "usage": spent or usage(output)}
    stamped = {} if at is None else {"timestamp": stamp(at)}
    return {
        "type": "assistant",
        "message": message,
        "requestId": f"req_{name}",
        "cwd": "/home/me/shop",
        **stamped,
        **more,
    }


def prompt(at: float = NOON, **more: Any) -> dict[str, Any]:
    message = {"role": "user", "content": 'what is "usage"?'}
    return {"type": "user", "message": message, "timestamp": stamp(at), "cwd": "/home/me/shop", **more}


def lines(*records: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(record, separators=(",", ":")).encode() + b"\n" for record in records)


class Person(NamedTuple):
    """A home with a client's transcripts and a state folder of ours."""

    root: Path

    @property
    def env(self) -> dict[str, str]:
        return {"HOME": str(self.root), "YOURTURN_HOME": self.home}

    @property
    def home(self) -> str:
        return str(self.root / "state")

    @property
    def cache(self) -> Path:
        return Path(paths.usage(self.home))

    def transcript(self, session: str, agent: str = "", project: str = "-home-me-shop") -> Path:
        below = f"{session}/subagents/{agent}.jsonl" if agent else f"{session}.jsonl"
        return self.root / ".claude" / "projects" / project / below

    def writes(self, session: str, *records: dict[str, Any], agent: str = "", project: str = "-home-me-shop") -> Path:
        path = self.transcript(session, agent, project)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.write(lines(*records))
        return path

    def looks(self) -> Sums:
        """What is counted after a look."""
        return ledger.use(self.home, self._look)

    def _look(self, book: ledger.Ledger) -> Sums:
        count.look(book, self.env)
        return counted(book)

    def contents(self) -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in (self.root / ".claude").rglob("*.jsonl") if path.is_file()}


def counted(book: ledger.Ledger) -> Sums:
    found: Sums = {}
    for row in book.rows():
        sums = found.setdefault((row.session, days.day(row.quarter), row.model), Counter())
        sums.update(named(row.tokens))
    return found


def named(tokens: Tokens) -> Counter[str]:
    return Counter(tokens._asdict())


def total(sums: Sums) -> Counter[str]:
    return sum(sums.values(), Counter())


# The recount


def recount(contents: dict[str, bytes]) -> Sums:
    """Every line of every file is read; then each message counts for the file where it stands first."""
    seen: dict[tuple[str, str], dict[str, list[dict[str, Any]]]] = {}
    began: dict[str, float] = {}
    for path, data in contents.items():
        for line in data.split(b"\n")[:-1]:
            value = _value(line)
            began.setdefault(path, _time(value)) if _time(value) else None
            message: dict[str, Any] = value.get("message", {})
            if value.get("type") != "assistant" or value.get("isApiErrorMessage") or message["model"] == "<synthetic>":
                continue
            key = (message["id"], str(value.get("requestId")))
            seen.setdefault(key, {}).setdefault(path, []).append(value)
    found: Sums = {}
    for files in seen.values():
        first = min(files, key=lambda path: (_oldest(files[path]), began.get(path, 1e12), path))
        sums = _largest([value["message"]["usage"] for values in files.values() for value in values])
        found.setdefault(
            (_session(first), _day(_oldest(files[first])), files[first][0]["message"]["model"]), Counter()
        ).update(sums)
    return found


def _value(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _time(value: dict[str, Any]) -> float:
    stamp = value.get("timestamp")
    return datetime.fromisoformat(stamp).timestamp() if stamp else 0.0


def _oldest(values: list[dict[str, Any]]) -> float:
    return min([_time(value) for value in values if _time(value)], default=1e12)


def _day(at: float) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(at)) if at < 1e12 else "?"


def _session(path: str) -> str:
    parts = path.split("/")
    return parts[parts.index("subagents") - 1] if "subagents" in parts else parts[-1].removesuffix(".jsonl")


def _largest(figures: list[dict[str, Any]]) -> Counter[str]:
    def largest(name: str, within: str = "") -> int:
        return max((each.get(within) or {} if within else each).get(name) or 0 for each in figures)

    return Counter(
        messages=1,
        input=largest("input_tokens"),
        output=largest("output_tokens"),
        written=largest("cache_creation_input_tokens"),
        written_1h=largest("ephemeral_1h_input_tokens", "cache_creation"),
        read=largest("cache_read_input_tokens"),
        searches=largest("web_search_requests", "server_tool_use"),
    )
