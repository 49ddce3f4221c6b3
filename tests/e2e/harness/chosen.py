"""The client that the tests drive: YOURTURN_CLIENT names its version, and an old one cannot show everything."""

from __future__ import annotations

import os
import subprocess
from functools import cache
from typing import TYPE_CHECKING

import pytest

from support.project import PROJECT

if TYPE_CHECKING:
    from collections.abc import Mapping

CLIENT = PROJECT / "tools" / "client.sh"
TOO_OLD = "the client is too old: "


def installed() -> tuple[str, str]:
    """The path of the program, or '' and why there is none. Nothing is installed: that takes longer than a test may."""
    found = subprocess.run([CLIENT, "--installed"], capture_output=True, text=True, check=False)
    return found.stdout.strip(), found.stderr.strip()


def version(env: Mapping[str, str]) -> str:
    done = subprocess.run([CLIENT, "--version"], env=env, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def is_older(one: str, other: str) -> bool:
    return _numbers(one) < _numbers(other)


def needs_client(oldest: str, why: str) -> pytest.MarkDecorator:
    """For a test of what only this client and newer ones can show."""
    reason = f"{TOO_OLD}Claude Code {_chosen()} is before {oldest}: {why}"
    return pytest.mark.skipif(client_is_before(oldest), reason=reason)


def client_is_before(oldest: str) -> bool:
    """For a test of what this client and newer ones show in another way than older ones."""
    return is_older(_chosen(), oldest)


@cache
def _chosen() -> str:
    return version(os.environ)


def _numbers(name: str) -> tuple[int, ...]:
    return tuple(int(part) for part in name.split(".") if part)
