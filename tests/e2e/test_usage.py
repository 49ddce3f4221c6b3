"""What the real client writes is counted to the token, and costs what the client itself says."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from e2e.harness.dialects.anthropic import USAGE
from e2e.harness.folders import temporary_folder
from e2e.harness.home import Home
from e2e.harness.script import bash, script, text, tool
from support.spending import Person, recount, total
from usage import prices
from usage.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    from e2e.harness.api import Api


class Worker:
    """`claude -p` in a home of its own."""

    def __init__(self, program: str, api: Api, home: Home) -> None:
        self.program, self.api, self.home = program, api, home

    def does(self, prompt: str, *args: str) -> dict[str, Any]:
        argv = [self.program, "-p", "--output-format", "json", "--permission-mode", "bypassPermissions", *args]
        env = self.home.environment(self.api.url, {})
        done = subprocess.run(
            argv, input=prompt, env=env, cwd=self.home.project, capture_output=True, text=True, check=True
        )
        result: dict[str, Any] = json.loads(done.stdout)
        return result


@pytest.fixture
def worker(api: Api, client_program: str) -> Iterator[Worker]:
    with temporary_folder() as folder:
        yield Worker(client_program, api, Home.make(folder, {}))


def test_a_session_its_fork_and_its_sub_agent_are_counted_once_and_cost_what_the_client_says(worker: Worker) -> None:
    first = worker.does(script(bash("echo one"), text("two")))
    session = first["session_id"]
    worker.does(script(text("three")), "--resume", session)
    forked = worker.does(script(text("four")), "--resume", session, "--fork-session")
    prompt = script(bash("echo five"), text("six"))
    agent = tool("Agent", description="a part", prompt=prompt, subagent_type="general-purpose", run_in_background=False)
    family = worker.does(script(agent, text("seven")))
    person = Person(Path(worker.home.path))
    found = person.looks()
    assert found == recount(person.contents())
    answers = len(worker.api.turns)
    expected = {"messages": 1, "input": USAGE["input_tokens"], "output": USAGE["output_tokens"], "read": 5000}
    assert total(found) == Counter({name: number * answers for name, number in expected.items()})
    by_session: Counter[str] = Counter()
    for (name, _day, _model), sums in found.items():
        by_session[name] += sums["messages"]
    assert by_session == {session: 3, forked["session_id"]: 1, family["session_id"]: 4}
    (model,) = {model for _, _, model in found}
    tokens = Tokens(4, 4 * expected["input"], 4 * expected["output"], read=4 * expected["read"])
    assert float(prices.load({"HOME": "/nowhere"}).cost(model, tokens).amount) == pytest.approx(
        family["total_cost_usd"]
    )
