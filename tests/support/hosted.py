"""A client that asks over its stream: a real process that prints what the test says, and notes what it is told."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from answers import open_requests, record
from support.patience import until
from support.spawning import Bureau

if TYPE_CHECKING:
    from pathlib import Path

    from agency.registration import Spawned
    from answers.request import Request

PROGRAM = """#!/bin/sh
exec 3<&0
cat <&3 >"{folder}/told" &
printf '%s\\n' "$@" >"{folder}/arguments"
exec cat <"{folder}/says"
"""
BASH = {"tool_name": "Bash", "input": {"command": "touch made", "description": "run it"}}


class Hosted(Bureau):
    """With an agent that is described as one that asks."""

    def __init__(self, place: Path) -> None:
        super().__init__(place)
        os.mkfifo(place / "says")
        program = place / "claude"
        program.write_text(PROGRAM.format(folder=place))
        program.chmod(0o755)
        self.describe("asker", f'program = "{program}"\nasks = true\n')
        self._voice = -1

    def __exit__(self, *_: object) -> None:
        self.falls_silent()
        super().__exit__()

    def begin(self, *words: str) -> Spawned:
        agent = self.spawn("--name", "asker", "--agent", "asker", *words, "begin")
        self.speaks()
        return agent

    def speaks(self) -> None:
        """As soon as it listens to the test, and has its prompt."""
        self._voice = os.open(self.folder / "says", os.O_WRONLY)
        until(self.told, "its prompt")

    def says(self, *lines: dict[str, Any] | bytes) -> None:
        for line in lines:
            data = line if isinstance(line, bytes) else json.dumps(line, separators=(",", ":")).encode() + b"\n"
            while data:
                data = data[os.write(self._voice, data) :]

    def asks(self, id_: str = "r1", **given: Any) -> None:
        request = {"subtype": "can_use_tool", **BASH, **given}
        self.says({"type": "control_request", "request_id": id_, "request": request})

    def falls_silent(self) -> None:
        """It has nothing more to say, and ends."""
        if self._voice >= 0:
            os.close(self._voice)
            self._voice = -1

    def told(self) -> list[dict[str, Any]]:
        """What came on its standard input, up to the last whole line."""
        path = self.folder / "told"
        lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
        return [json.loads(line) for line in lines]

    def answers(self) -> list[dict[str, Any]]:
        return [line["response"] for line in self.told() if line["type"] == "control_response"]

    def arguments(self) -> list[str]:
        return (self.folder / "arguments").read_text().splitlines()

    def open_requests(self, number: int = 1) -> list[Request]:
        until(lambda: len(open_requests.requests(str(self.home))) == number, f"{number} open requests")
        return open_requests.requests(str(self.home))

    def outcomes(self) -> list[str]:
        return [entry["outcome"] for entry in record.entries(str(self.home))]

    def left(self) -> list[str]:
        return sorted(os.listdir(self.home / "open"))
