"""`yourturn agents`: lists the agents that are described in the folder of agents, and checks each."""

from __future__ import annotations

import json
import os
import sys
import textwrap
from typing import TYPE_CHECKING

from agency import clients, definitions
from agency.outcome import NotDone
from statusbar.text.width import pad, tidy

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from agency.definitions import Definition

NAME, WIDTH = 20, 100


def run(args: argparse.Namespace) -> int:
    env, broken = os.environ, 0
    for name in definitions.names(env):
        definition, trouble = _checked(env, name)
        broken += bool(trouble)
        print(json.dumps(_record(name, definition, trouble)) if args.json else _line(name, definition, trouble))
    if not definitions.names(env) and not args.json:
        print(f"No agents in {definitions.folder(env)}. One is a file such as reviewer.toml:\n", file=sys.stderr)
        print(definitions.EXAMPLE, end="", file=sys.stderr)
    return 1 if broken else 0


def _checked(env: Mapping[str, str], name: str) -> tuple[Definition | None, str]:
    try:
        found = definitions.load(env, name)
    except NotDone as error:
        return None, str(error)
    return found, definitions.missing(found, env) or _unheld(found)


def _unheld(definition: Definition) -> str:
    client = clients.named(definition.client)
    rule = client.unheld(definition.rights) if client else ""
    return f"{definition.path}: {definition.client} cannot be held to {rule}" if rule else ""


def _line(name: str, definition: Definition | None, trouble: str) -> str:
    if trouble or definition is None:
        return f"{pad(tidy(name, NAME), NAME)}  ✕ {tidy(trouble, 400)}"
    parts = [definition.program, definition.model, definition.cwd, _tools(definition)]
    line = f"{pad(tidy(name, NAME), NAME)}  {tidy('  '.join(part for part in parts if part), 400)}"
    return "\n".join([line, *_enforced(definition)])


def _enforced(definition: Definition) -> list[str]:
    """Below an agent that has limits."""
    sentence = clients.enforced(definition.client) if definition.rights.are_restricted else ""
    return [" " * (NAME + 2) + line for line in textwrap.wrap(sentence, WIDTH - NAME - 2)]


def _tools(definition: Definition) -> str:
    allow = "" if definition.allow is None else f"only {', '.join(definition.allow) or 'talks'}"
    deny = f"not {', '.join(definition.deny)}" if definition.deny else ""
    return ", ".join(part for part in (allow, deny, "asks you" if definition.asks else "") if part)


def _record(name: str, definition: Definition | None, trouble: str) -> dict[str, object]:
    """Without its prompt: a list need not repeat that."""
    known = definition._asdict() if definition else {"name": name}
    enforced = clients.enforced(definition.client) if definition else None
    told = {key: value for key, value in known.items() if key != "prompt"}
    return {"v": 1, **told, "enforced": enforced, "trouble": trouble or None}
