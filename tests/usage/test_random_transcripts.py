"""Whatever sessions, forks, sub-agents, compactions, deletions and looks come in whatever order: a recount agrees."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from support.spending import NOON, Person, answer, lines, prompt, recount, usage

MODELS = ("claude-opus-5-5", "claude-haiku-4-5", "<synthetic>", "some-other")
HOUR = 3600
SMALL = st.integers(0, 3)
STEPS = st.one_of(
    st.tuples(st.just("say"), SMALL, st.integers(1, 4), st.integers(0, 3), st.booleans()),
    st.tuples(st.just("say"), SMALL, st.integers(1, 4), st.integers(0, 3), st.booleans()),
    st.tuples(st.just("work"), SMALL, SMALL),
    st.tuples(st.just("fork"), SMALL),
    st.tuples(st.just("repeat"), SMALL, SMALL),
    st.tuples(st.just("garbage"), SMALL),
    st.tuples(st.just("tear"), SMALL, st.integers(1, 200)),
    st.tuples(st.just("cut"), SMALL, SMALL),
    st.tuples(st.just("replace"), SMALL, SMALL),
    st.tuples(st.just("delete"), SMALL),
    st.tuples(st.just("look")),
    st.tuples(st.just("look")),
)


class World:
    """Sessions that a client writes down, and the contents that a look has met."""

    def __init__(self, root: Path) -> None:
        self.person = Person(root)
        self.now, self.number = NOON, 0
        self.paths: list[Path] = []
        self.torn: dict[Path, bytes] = {}
        self.met: dict[str, bytes] = {}
        self.start()

    def start(self) -> Path:
        self.number += 1
        path = self.person.writes(f"{7919 * self.number % 97:02}-session", prompt(self.later()))
        self.paths.append(path)
        return path

    def later(self) -> float:
        self.now += HOUR * 1.7
        return self.now

    def path(self, number: int) -> Path:
        return self.paths[number % len(self.paths)]

    def append(self, path: Path, data: bytes) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.write(self.torn.pop(path, b"") + data)

    def answer(self, split: int, model: int, *, is_stamped: bool = True) -> bytes:
        self.number += 1
        at = self.later()
        spent = [
            usage(k * 100 + 1, server_tool_use={"web_search_requests": k}, cache_creation_input_tokens=self.number)
            for k in range(split)
        ]
        more: dict[str, Any] = {"model": MODELS[model]}
        stamps = [at + k if is_stamped else None for k in range(split)]
        return lines(*(answer(str(self.number), 0, stamps[k], spent=spent[k], **more) for k in range(split)))

    # What may happen

    def say(self, number: int, split: int, model: int, is_stamped: bool) -> None:
        self.append(self.path(number), self.answer(split, model, is_stamped=is_stamped))

    def work(self, number: int, agent: int) -> None:
        path = self.path(number)
        session = path.parent.parent.name if path.parent.name == "subagents" else path.stem
        below = self.person.transcript(session, f"agent-{agent}")
        self.append(below, lines(prompt(self.later())) + self.answer(2, 1))
        self.paths.append(below)

    def fork(self, number: int) -> None:
        copied = self.path(number).read_bytes() if self.path(number).exists() else b""
        self.append(self.start(), copied[: copied.rfind(b"\n") + 1] + self.answer(1, 0))

    def repeat(self, number: int, line: int) -> None:
        data = self.path(number).read_bytes().splitlines(keepends=True) if self.path(number).exists() else []
        self.append(self.path(number), b"".join(one for one in data[line : line + 3] if one.endswith(b"\n")))

    def garbage(self, number: int) -> None:
        self.append(self.path(number), b'{"usage" \xff\n[]\n\n"usage"\n')

    def tear(self, number: int, at: int) -> None:
        """Half of an answer now, the rest with whatever is written next."""
        data = self.answer(1, 0)
        path = self.path(number)
        self.append(path, data[:at])
        self.torn[path] = data[at:]

    def cut(self, number: int, kept: int) -> None:
        if self.path(number).exists():
            data = self.path(number).read_bytes().splitlines(keepends=True)
            os.truncate(self.path(number), len(b"".join(data[:kept])))
            self.torn.pop(self.path(number), None)

    def replace(self, number: int, kept: int) -> None:
        path = self.path(number)
        if path.exists():
            beside = path.with_suffix(".new")
            beside.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[kept:]) + b"\n" + self.answer(2, 0))
            beside.rename(path)
            self.torn.pop(path, None)

    def delete(self, number: int) -> None:
        self.path(number).unlink(missing_ok=True)
        self.torn.pop(self.path(number), None)

    def look(self) -> None:
        self.met |= self.person.contents()
        assert self.person.looks() == recount(self.met)


@settings(max_examples=25)
@given(st.lists(STEPS, min_size=3, max_size=30))
def test_a_recount_agrees_after_every_look(steps: list[tuple[Any, ...]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder))
        for name, *arguments in steps:
            getattr(world, name)(*arguments)
        world.look()
        world.person.cache.unlink()
        assert world.person.looks() == recount(world.person.contents())
