"""Makes a request of what somebody asks for: who its parent is, what it may do, and the command line of its client."""

from __future__ import annotations

import os
import shutil
import uuid
from typing import TYPE_CHECKING, NamedTuple

from agency import clients, registration
from agency.outcome import could_not, refused, wrong_usage
from agency.request import COMMAND, Request
from agency.rights import EVERYTHING, ExceededError, Rights, inherited
from agency.task import Task
from processes.programs import invocation
from statusbar.text.width import tidy

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agency.clients import Client
    from agency.definitions import Definition
    from processes.programs import Invocation

NAME_LENGTH = 64


class Wish(NamedTuple):
    """What an agent shall be like, whatever its program is. What is not said is inherited, or has a default."""

    name: str = ""
    cwd: str = ""
    parent: str = ""  # session
    kind: str = "agent"
    allow: Sequence[str] | None = None
    deny: Sequence[str] = ()
    timeout_s: float = 0.0
    asks: bool = False


class Parent(NamedTuple):
    """For whom an agent works, and what that one may do as far as we know."""

    session: str = ""
    rights: Rights = EVERYTHING


def parent_of(home: str, session: str) -> Parent:
    """Only of agents that we have started the rights are known."""
    above = next((agent for agent in registration.living(home) if agent.session == session), None)
    return Parent(session, above.rights if above else EVERYTHING)


def from_definition(definition: Definition, prompt: str, wish: Wish, parent: Parent, env: Mapping[str, str]) -> Request:
    """An agent from the folder of agents, with its prompt on standard input."""
    session, client = str(uuid.uuid4()), clients.named(definition.client)
    rights = _inherited(_inherited(parent.rights, definition.allow, definition.deny), wish.allow, wish.deny)
    asks = _asks(definition, wish)
    task = Task(session, definition.model, definition.prompt, definition.mode, definition.turns, asks)
    if client and (key := client.unfit(task)):
        raise wrong_usage(f"{definition.path}: {definition.client} has no {key!r}; leave it out")
    is_told_apart = client is not None and client.TAKES_INSTRUCTIONS
    asked = prompt if is_told_apart or not definition.prompt else f"{definition.prompt}\n\n{prompt}"
    return Request(
        name=_name(wish.name, definition.name, session),
        session=session,
        program=(definition.program,),
        arguments=definition.arguments,
        cwd=_folder(wish.cwd or os.path.expanduser(definition.cwd)),
        client=definition.client if client else COMMAND,
        kind=wish.kind,
        parent=parent.session,
        agent=definition.name,
        rights=rights,
        timeout_s=wish.timeout_s or definition.timeout_s,
        prompt=asked,
        task=task if client else None,
        env=dict(env),
    )


def _asks(definition: Definition, wish: Wish) -> bool:
    asks = definition.asks or wish.asks
    if asks and clients.stream(definition.client) is None:
        raise wrong_usage(f"{definition.path}: {definition.program} cannot ask a person through us; claude can")
    return asks


def from_command(argv: Sequence[str], wish: Wish, parent: Parent, env: Mapping[str, str]) -> Request:
    """A command line of the user's own."""
    cwd = _folder(wish.cwd)
    if shutil.which(os.path.join(cwd, argv[0]) if "/" in argv[0] else argv[0], path=env.get("PATH")) is None:
        raise could_not(f"no program {tidy(argv[0], 80)!r}{'' if '/' in argv[0] else ' on PATH'}")
    session, rights = str(uuid.uuid4()), _inherited(parent.rights, wish.allow, wish.deny)
    called = invocation(tuple(argv))
    client = _started(called) if called else None
    own = called.arguments if called and client else tuple(argv[1:])
    if client and (option := client.session_named(own)):
        raise wrong_usage(f"{option}: the agent gets a session of its own, so that it is known from its first moment")
    return Request(
        name=_name(wish.name, os.path.basename(argv[0]), session),
        session=session,
        program=tuple(argv[: len(argv) - len(own)]),
        arguments=own,
        cwd=cwd,
        client=called.program if called and client else COMMAND,
        kind=wish.kind,
        parent=parent.session,
        rights=rights,
        timeout_s=wish.timeout_s,
        env=dict(env),
    )


def _started(called: Invocation) -> Client | None:
    """None for what is started as any program is.

    So is a client that a person types into and that names its session itself: many terminals may share its process.
    """
    client = clients.named(called.program) if not called.serves and not called.hosts else None
    if client and not client.TAKES_A_SESSION and not client.works_alone(called.arguments):
        return None
    return client


def for_this_process(words: Sequence[str], session: str, wish: Wish, parent: Parent) -> Request:
    """To register a process that runs already; `words` say what it does."""
    return Request(
        name=_name(wish.name, words[0], session),
        session=session,
        program=(words[0],),
        arguments=tuple(words[1:]),
        cwd=_folder(wish.cwd),
        kind=wish.kind,
        parent=parent.session,
        rights=_inherited(parent.rights, wish.allow, wish.deny),
    )


def _inherited(parent: Rights, allow: Sequence[str] | None, deny: Sequence[str]) -> Rights:
    try:
        return inherited(parent, allow, deny)
    except ExceededError as error:
        raise refused(str(error)) from None


def _name(wanted: str, program: str, session: str) -> str:
    name = wanted or f"{program}-{session[:4]}"
    if tidy(name, NAME_LENGTH) != name or not name or name[0] in "@-" or "/" in name:
        raise wrong_usage("a name is a short word or phrase without '/', and begins with neither '@' nor '-'")
    return name


def _folder(wanted: str) -> str:
    cwd = os.path.abspath(wanted or os.getcwd())
    if not os.path.isdir(cwd):
        raise wrong_usage(f"no folder {tidy(cwd, 200)}")
    return cwd
