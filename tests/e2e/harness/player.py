"""Plays a program on the real client: the keys of a person, the answers of the API and the ends of commands.

It goes hand in hand with the model: nothing is done before the client has shown as much as the model had by then. So
no run depends on the speed of the machine, and one that the model does not foresee is left where they part.
"""

from __future__ import annotations

import contextlib
import glob
import json
import os
import re
import time
from typing import TYPE_CHECKING, Any

import psutil

from e2e.harness import mcp_server, trace
from e2e.harness.client import PROMPT, Client
from e2e.harness.home import Home
from e2e.harness.kinds import CUE, Shown, Streams, streams
from e2e.harness.modelled import ANSWER, BEGUN, DEED, DOOR, GATE, TELLS
from e2e.harness.patience import PATIENCE_S, until
from e2e.harness.place import entered
from e2e.harness.script import text
from e2e.harness.staged import FREE, Staged, calls, first_word, gate, moves_of
from e2e.harness.trace import Moment, Timeline
from e2e.harness.tracer import Tracer, stamping
from simulator.elicitation import FORM
from simulator.program import FEEDBACK, NO, YES, Compact, Deed, Fail, Move, Program, Retry, Say, Spawn, Wait

if TYPE_CHECKING:
    from collections.abc import Callable

    from e2e.harness.api import Api
    from e2e.harness.modelled import Cue, Modelled

STEP_S = 0.002  # what the model does at one moment is so near together
QUIET_S = 0.7  # what comes although nobody expects it has come by then, or is not seen: a slow machine forgives
SHELL = ["bash", "-c", 'set -m; "$@"; while [ "$(jobs -s)" ]; do read -r _; fg; done', "shell"]
DECIDES = """echo '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"%s"}}}'"""
MENU = "Select model"
ASKS = "requests your input"  # over the form of a server
COUNT = "n=$(cat ~/%s 2>/dev/null || echo 0); n=$((n+1)); echo $n > ~/%s; "


class Eyes(Tracer):
    """On the registry alone: what is shown for some milliseconds is seen only by who looks at nothing else."""

    def _look_at_transcripts(self) -> None:
        """They keep their lines."""

    def _look_at_commands(self) -> None:
        """They are not compared."""


class Player:
    def __init__(self, program: Program, executable: str, api: Api, folder: str) -> None:
        self._program, self._executable, self._api = program, executable, api
        self.env: dict[str, str] = {}  # for the clients, beside what the program needs
        self.home = Home.make(folder, settings(program))
        self._staged = Staged(self.home, program)
        self._tracer = Eyes(self.home)
        self._clients: dict[str, Client] = {}
        self._sessions: dict[str, str] = {}
        self._cued: Timeline = []
        self._open = contextlib.ExitStack()
        for move in moves_of(program):
            if isinstance(move, Compact):
                api.summary = text("a summary", hold=gate(move))

    def play(
        self, model: Modelled, check: Callable[[float], None], patience: float = PATIENCE_S
    ) -> tuple[Streams, str]:
        """All streams, and where it was left if the client did not show what the model had shown.

        `check` is told each moment of the model at which both stand still.
        """
        with self._open, self._tracer:
            where, passed = "", -STEP_S
            try:
                for cue in model.cues:
                    where = f"before {cue.kind} {cue.what}"
                    self._await(model.streams(cue.at), patience)
                    if cue.is_awaited and cue.at > passed + STEP_S:
                        check(cue.at)
                    passed = cue.at
                    if cue.may_begin_a_turn:
                        self._cued.append(Moment(time.time(), trace.REGISTRY, "", CUE))
                    self._do(cue)
                where = "at the end"
                self._await(model.streams(), patience)
                check(model.end + STEP_S)
                with contextlib.suppress(TimeoutError):
                    until(lambda: self._has_more(model.streams()), QUIET_S)
            except TimeoutError as error:
                return streams(self._shown()), f"{where}: {error}"
            return streams(self._shown()), ""

    def _await(self, wanted: Streams, patience: float) -> None:
        def came() -> bool:
            found = streams(self._shown())
            return all(len(found.get(name, [])) >= len(kinds) for name, kinds in wanted.items())

        until(came, patience, lambda: "\n".join(client.screen() for client in self._clients.values()))

    def _has_more(self, wanted: Streams) -> bool:
        return any(len(kinds) > len(wanted.get(name, [])) for name, kinds in streams(self._shown()).items())

    def _do(self, cue: Cue) -> None:
        if cue.kind == DEED:
            self._deed(cue.what)
        elif cue.kind == BEGUN:
            self._wait_for(self._clients[cue.session], cue.what)
        elif cue.kind == GATE:
            self._api.release(gate(cue.what))
        elif cue.kind == DOOR and (door := self._staged.door(cue.what)):
            with entered(door):
                pass
        elif cue.kind == TELLS:
            with entered(self._staged.tells(cue.what)):
                pass
        elif cue.kind == ANSWER:
            self._answer(self._clients[cue.session], cue.what.tool, cue.what.ask.answer)

    def _wait_for(self, client: Client, move: Move) -> None:
        """Until the client asks for it, and the first word of it is there: an interruption finds it so."""
        if isinstance(move, Say | Fail | Wait):
            self._api.reached(gate(move))
        if isinstance(move, Say) and any(move is one for deed in self._program.deeds for one in deed.script):
            client.wait_for_words(first_word(move))

    # --- what a person does

    def _answer(self, client: Client, tool: str, answer: str) -> None:
        if tool == FORM:
            self._fill_in(client, answer)
            return
        client.wait_for_dialog()
        if answer == YES:
            client.answer("Enter")
        elif answer == NO:
            client.answer("Escape" if tool in ("AskUserQuestion", "ExitPlanMode") else _option(client, "No"))
        elif answer == FEEDBACK:
            client.answer(*["Down"] * (int(_option(client, "No")) - 1), "Tab")
            client.terminal.type("use another way")
            client.wait("use another way")
            client.key("Enter")

    def _fill_in(self, client: Client, answer: str) -> None:
        """The form of a server: one field, and below it Accept and Decline."""
        client.wait(ASKS)
        client.let_it_listen()
        client.key("x")
        client.wait("name: x")
        client.key("Enter")
        client.wait(f"{PROMPT} Accept")
        client.let_it_listen()
        if answer == NO:
            client.key("Down")
            client.let_it_listen()
        client.key("Enter")

    def _deed(self, deed: Deed) -> None:
        if deed.do in ("start", "resume", "fork"):
            self._start(deed)
            return
        client = self._clients[deed.session]
        match deed.do:
            case "prompt":
                self._empty_box(client)
                client.say(self._staged.prompt(deed.script, self._program.own.sent_back_to, *self._goals(deed)))
            case "escape":
                self._escape(client)
            case "kill":
                client.kill9()
            case "exit" | "clear" | "local":
                client.say({"local": "/rename it"}.get(deed.do, f"/{deed.do}"))
            case "stop" | "cont":
                _stop(client, stopped=deed.do == "stop")
            case "background":
                _move_to_background(client)
            case "menu" | "close menu":
                _menu(client, is_open=deed.do == "menu")
            case "compact" | "goal":
                self._command(client, deed)

    def _goals(self, prompt: Deed) -> list[tuple[Move, ...]]:
        """What is done for a goal that is set after it: its words cannot tell, as the client repeats them."""
        goals = [deed.script for deed in self._program.deeds if deed.do == "goal" and deed.at > prompt.at]
        return [script for goal in goals for script in (goal, goal)]  # it is judged once that it is not met

    def _escape(self, client: Client) -> None:
        if any(call.elicits for call in calls(self._program)):
            client.wait(ASKS)
            client.let_it_listen()
        elif client.registry().get("status") == "waiting":  # it says so a moment before the dialog is drawn
            client.wait_for_dialog()
        client.answer("Escape") if client.dialog() else client.key("Escape")

    def _empty_box(self, client: Client) -> None:
        """What was interrupted before any output, or refused by a hook, lies in the box again."""
        if _has_words(client):
            client.key("C-c")

    def _start(self, deed: Deed) -> None:
        session = self._sessions.get(deed.word, "")
        again = {"start": [], "resume": ["--resume", session], "fork": ["--resume", session, "--fork-session"]}
        uses_mcp = any(call.tool in mcp_server.TOOLS for call in calls(self._program))
        args = [*(["--strict-mcp-config", "--mcp-config", mcp_server.config()] if uses_mcp else []), *again[deed.do]]
        plans = any(call.tool == "ExitPlanMode" for call in calls(self._program))
        stops = any(deed.do == "stop" for deed in self._program.deeds)
        words = [*(SHELL if stops else []), self._executable]
        mode = "plan" if plans else "default"
        client = Client(
            words, self._api.url, self.home, *args, mode=mode, env={**environment(self._program), **self.env}
        )
        self._clients[deed.session] = self._open.enter_context(client)
        self._sessions[deed.session] = client.session_id

    def _command(self, client: Client, deed: Deed) -> None:
        if deed.do == "goal":
            self._api.judgements = [False]
            client.say("/goal all is well")
            return
        if deed.word in ("done", "failed"):
            trouble = {"status": 400, "error": "invalid_request_error"} if deed.word == "failed" else {}
            self._api.summary = text("a summary", hold=gate(deed), **trouble)
        client.say("/compact")

    # --- what is seen

    def _shown(self) -> Shown:
        registry = [one for one in [*self._tracer.seen, *self._cued] if one.stream == trace.REGISTRY]
        found = Shown(registry=[(one.who, one.what) for one in sorted(registry, key=lambda one: one.at)])
        for name in sorted(os.listdir(f"{self.home.path}/stamped")):
            if not name.startswith("."):
                found.hooks.append(_read(f"{self.home.path}/stamped/{name}"))
        projects = f"{self.home.config}/projects"
        for path in glob.glob(f"{projects}/**/*.meta.json", recursive=True):
            with contextlib.suppress(ValueError):  # just being written
                agent = os.path.basename(path).removeprefix("agent-").removesuffix(".meta.json")
                found.agents[agent] = _read(path)["description"]
        for path in glob.glob(f"{projects}/**/*.jsonl", recursive=True):
            with open(path, encoding="utf-8") as file:
                found.lines += [(path, json.loads(line)) for line in file if line.endswith("\n")]
        return found


def settings(program: Program) -> dict[str, Any]:
    own = program.own
    thinks = f"sleep {own.after}; " if own.after else ""
    beside = {}
    if own.permission:
        beside["PermissionRequest"] = thinks + DECIDES % ("allow" if own.permission == YES else "deny")
    if own.prompt_blocks:
        beside["UserPromptSubmit"] = COUNT % ("p", "p") + f"[ $((n % 2)) = 1 ] && exit 0; {thinks}echo no >&2; exit 2"
    if own.stop_blocks:
        beside["Stop"] = COUNT % ("s", "s") + f"[ $n -gt {own.stop_blocks} ] && exit 0; {thinks}echo more >&2; exit 2"
    free = [call.tool for call in calls(program) if call.tool in mcp_server.TOOLS and not call.ask]
    allow = [f"Bash({FREE}:*)", "Monitor", "Edit(free.txt)", *free]
    mode = "tmux" if program.has_panes else "in-process"
    hooks = stamping(**beside) if program.hooks else {}
    return {**hooks, "permissions": {"allow": allow}, "teammateMode": mode}


def environment(program: Program) -> dict[str, str]:
    spawns = [move for move in moves_of(program) if isinstance(move, Spawn)]
    tries_again = any(isinstance(move, Retry) for move in moves_of(program))
    env = {"CLAUDE_CODE_MAX_RETRIES": "3" if tries_again else "0"}
    if any(not spawn.background for spawn in spawns):
        env["CLAUDE_CODE_DISABLE_BACKGROUND_TASKS"] = "1"
    if any(spawn.is_mate for spawn in spawns):
        env["CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS"] = "1"
    return env


def _has_words(client: Client) -> bool:
    """Whether something stands in the input box."""
    box = client.screen().rpartition(PROMPT)[2].partition("\n──")[0]
    return bool(box.strip()) and not client.dialog()


def _stop(client: Client, *, stopped: bool) -> None:
    """A key that comes before the process has stopped would be the client's, not its shell's."""
    client.key("C-z" if stopped else "Enter")
    process = psutil.Process(client.pid)
    until(lambda: (process.status() == psutil.STATUS_STOPPED) == stopped, PATIENCE_S, client.screen)


def _move_to_background(client: Client) -> None:
    client.wait("ctrl.b")  # nothing can be moved before the client offers it
    client.key("C-b")
    client.key("C-b")  # tmux takes the first for its own where people have one


def _menu(client: Client, *, is_open: bool) -> None:
    if is_open:
        client.say("/model")
    else:
        client.key("Escape")
    until(lambda: (MENU in client.screen()) == is_open, PATIENCE_S, client.screen)


def _option(client: Client, words: str) -> str:
    """The number of this answer in the open dialog."""
    found = re.search(rf"(\d)\. {words}", client.dialog())
    if not found:
        raise TimeoutError(f"no {words!r} in {client.dialog()}")
    return found[1]


def _read(path: str) -> dict[str, Any]:
    with open(path, encoding="utf-8") as file:
        value: dict[str, Any] = json.load(file)
        return value
