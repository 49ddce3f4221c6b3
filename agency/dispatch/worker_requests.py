"""Makes the request for a worker of each task: whatever is wrong with one is said before the first is started."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from agency import definitions, request_builder
from agency.dispatch.reading import wrong
from agency.outcome import REFUSED, NotDone, refused, wrong_usage
from agency.request import WORKER
from agency.request_builder import Wish

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agency.definitions import Definition
    from agency.dispatch.job import Job
    from agency.request import Request
    from agency.request_builder import Parent


class Batch(NamedTuple):
    """What all workers have in common."""

    source: str
    name: str
    parent: Parent  # the dispatcher
    env: dict[str, str]
    cwd: str = ""
    timeout_s: float = 0.0


def requests_for(batch: Batch, jobs: Sequence[Job]) -> dict[str, Request]:
    """By task. NotDone names file and line."""
    agents = _Agents(batch.env)
    return {job.id: _request(batch, job, agents) for job in jobs}


def _request(batch: Batch, job: Job, agents: _Agents) -> Request:
    wish = Wish(
        name=f"{batch.name}-{job.id}",
        cwd=os.path.join(batch.cwd, os.path.expanduser(job.cwd)),
        kind=WORKER,
        timeout_s=job.timeout_s or batch.timeout_s,
    )
    try:
        if job.agent:
            made = request_builder.from_definition(agents(job.agent), job.prompt, wish, batch.parent, {})
        else:
            made = request_builder.from_command(job.command, wish, batch.parent, batch.env)
    except NotDone as error:
        if error.outcome.code == REFUSED:
            raise refused(f"{batch.source}:{job.line}: {error}") from None
        raise wrong(batch.source, job.line, str(error)) from None
    return replace(made, env=batch.env)  # one for all: a batch may have thousands of tasks


class _Agents:
    """Those that are described, each read once."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._env = env
        self._read = cache(self._load)

    def __call__(self, name: str) -> Definition:
        return self._read(name)

    def _load(self, name: str) -> Definition:
        found = definitions.load(self._env, name)
        if missing := definitions.missing(found, self._env):
            raise wrong_usage(missing)
        return found
