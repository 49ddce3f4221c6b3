"""One call on its way: begun, asked for, run, ended or refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulator import lines
from simulator.bounds import BOUNDS
from simulator.dialog import BY_HOOK, Dialog
from simulator.elicitation import Elicitation
from simulator.outlet import EscapeError, given_to, words_for
from simulator.program import ESCAPE, FEEDBACK, NO, YES, Ask
from simulator.stage import Signal
from simulator.truth import Deal, Episode
from simulator.untold import untold

if TYPE_CHECKING:
    from collections.abc import Generator

    from simulator.agent import Agent
    from simulator.lines import Record
    from simulator.program import Call
    from simulator.stage import Play

ALWAYS_ASK = ("AskUserQuestion", "ExitPlanMode")  # the call is the question
WITH_OPTIONS = ("Bash", "Edit", "Write")  # Escape chooses No in their dialogs
WITH_PROCESS = ("Bash", "Monitor")
READERS, READING = ("Read", "WebSearch"), ("cat", "ls", "echo")
MOVED = "moved"
AMONG, EQUAL = "approved among several", "equal ones"
WHOSE_S = 0.3
UNSEEN_S = 0.05  # a dialog that follows another one so soon
WHOSE = "whose dialog it is"
APPROVED, HOOK_THINKS = "approved", "own hook thinks"


class Running:
    def __init__(self, agent: Agent, move: Call) -> None:
        self._agent, self._world, self._move = agent, agent.world, move
        self.id = f"toolu_{self._world.program.seed}_{self._world.number('call')}"
        self._given = given_to(move.tool, move.target)
        self._deal = Deal(agent.truth_key, words_for(move.tool, move.target), self._world.now)
        self._world.truth.deals.append(self._deal)
        self._pid = 0
        self.is_open = True
        self.over = Signal()
        self._approved: list[Episode] = []
        self._was_beside: bool | None = None  # another dialog, where the answer travels before the call runs

    @property
    def only_reads(self) -> bool:
        """As the client judges it; the tools of servers may do anything. What asks is not run beside others either."""
        tool, first = self._move.tool, self._move.target.partition(" ")[0]
        return self._move.ask is None and (tool in READERS or (tool == "Bash" and first in READING))

    @property
    def fields(self) -> Record:
        return {"tool_name": self._move.tool, "tool_input": self._given, "tool_use_id": self.id}

    @property
    def line(self) -> Record:
        return lines.call(self.id, self._move.tool, self._given)

    def play(self) -> Play:
        self._deal.began = self._world.now
        if self._move.tool in ALWAYS_ASK:
            self._asks()
        yield from self._agent.hook("PreToolUse", **self.fields)
        if self._move.denied:
            yield from self._is_denied()
            return
        answer = (yield from self._answer(self._move.ask)) if self._move.ask else YES
        if answer in (YES, BY_HOOK + YES):
            yield from self._run(by_hook=answer != YES)
        else:
            self._is_refused(answer)

    def cut_off(self) -> None:
        """By an interruption."""
        if self.is_open:
            self._end()
            self._agent.line(lines.rejection(self.id, self._agent.prompt_id))

    # --- asking

    def _asks(self) -> None:
        if not self._agent.is_asking:
            self._deal.asked = (self._world.now, float("inf"))
        self._agent.is_asking = True

    def _answer(self, ask: Ask) -> Generator[float | Signal, str, str]:
        dialog = Dialog(self._agent, self._move.tool, ask, self._move.target)
        if self._agent.asks_lead:
            return (yield from self._asks_lead(dialog))
        self._asks()
        hooks_come_first = self._agent.waits_for_hooks and self._world.program.hooks
        if not self._agent.is_main and not hooks_come_first:
            main = self._agent.client.main.truth_key
            self._world.truth.episodes.append(Episode(WHOSE, main, self._world.now, self._world.now + WHOSE_S))
        if self._world.program.own.permission and self._agent.waits_for_hooks:
            end = self._world.now + self._world.program.own.after + BOUNDS["hook answers"].high
            self._world.truth.episodes.append(Episode(HOOK_THINKS, self._agent.truth_key, self._world.now, end))
        is_behind = not self._agent.is_main or self._agent.client.dialogs.shown  # the registry tells of one only
        if not self._world.program.hooks and is_behind and self._move.tool not in ALWAYS_ASK:
            untold(self._agent, dialog)
        request = self._agent.client.play(self._request(dialog))
        answer = yield dialog.answered
        self._deal.asked = (self._deal.asked[0], self._world.now)
        if answer in (NO, ESCAPE, FEEDBACK):  # the client ends the hooks of what a person has refused
            request.throw(EscapeError())
        self._agent.is_asking = False
        return answer

    def _asks_lead(self, dialog: Dialog) -> Generator[float | Signal, str, str]:
        """No hook tells of such a request in the agent's own session."""
        yield from self._agent.ask_lead(dialog, self._asks)
        answer = yield dialog.answered
        self._world.stage.after(UNSEEN_S, self._look_beside)
        self._deal.asked = (self._deal.asked[0], self._world.now)
        self._agent.is_asking = False
        yield self._agent.delay("answer travels")
        return FEEDBACK if answer in (NO, ESCAPE) else answer

    def _look_beside(self) -> None:
        """Whether another dialog was open when it was answered, or so soon after it that nobody saw it closed."""
        self._was_beside = self._agent.shows_its_requests.has_dialog

    def _request(self, dialog: Dialog) -> Play:
        """The dialog of an agent in the background opens when the hooks have ended, any other at once."""
        client, own = self._agent.client, self._world.program.own
        waits = self._agent.waits_for_hooks
        if not waits:
            client.show(dialog)
        if own.permission:
            self._world.stage.after(own.after, lambda: self._own_hook(dialog))
        try:
            yield from self._agent.hook("PermissionRequest", tool_name=self._move.tool, tool_input=self._given)
            if waits and not own.permission:
                client.show(dialog)
        except EscapeError:
            return

    def _own_hook(self, dialog: Dialog) -> None:
        """A hook of the user's answers, if nobody has done so before."""
        delay = self._agent.delay("hook answers")
        word = BY_HOOK + self._world.program.own.permission
        self._world.stage.after(delay, lambda: dialog.answered.give(word))

    def _is_refused(self, answer: str) -> None:
        """A person's no ends the turn of a main agent; to any other, and with a word, it is only an answer."""
        if self._ends_the_turn(answer):
            raise EscapeError(at_dialog=True)
        self._end()
        outcome = {FEEDBACK: lines.WITH_FEEDBACK, BY_HOOK + NO: lines.BY_HOOK}.get(answer, lines.DENIED)
        self._agent.line(lines.rejection(self.id, self._agent.prompt_id, outcome))

    def _is_denied(self) -> Play:
        """By auto mode: nobody is asked, and the agent hears why."""
        yield self._agent.delay("auto mode decides")
        self._end()
        self._agent.async_hook("PermissionDenied", **self.fields, reason="scripted")
        self._agent.line(lines.rejection(self.id, self._agent.prompt_id, lines.BY_AUTO_MODE))

    def _ends_the_turn(self, answer: str) -> bool:
        """Seen: Escape ends a sub-agent in the foreground, too, but only where it asked for a tool of a server."""
        if self._agent.is_main:
            return answer in (NO, ESCAPE)
        in_foreground = not self._agent.waits_for_hooks
        return in_foreground and answer == ESCAPE and self._move.tool not in WITH_OPTIONS

    # --- running

    def _run(self, *, by_hook: bool) -> Play:
        begin, agent = self._world.now, self._agent
        if self._move.ask:
            self._approved = self._begin(APPROVED)
            self._is_among_others(by_hook=by_hook)
        if self._move.tool in WITH_PROCESS:
            yield agent.delay("command starts")
            self._pid = agent.client.command(self._move.target)
        if self._move.elicits:
            yield from Elicitation(agent, self._move.elicits).play()
        response: Record = {"stdout": "", "interrupted": False}
        if self._move.tool == "Monitor":
            response = {"taskId": self._watch(self._move.takes), "timeoutMs": 60000, "persistent": False}
        elif self._move.background:
            response["backgroundTaskId"] = self._leave_behind(self._move.takes)
        elif (yield from self._waits(self._move.takes)) == MOVED:
            yield agent.delay("moved")
            response["backgroundTaskId"] = self._leave_behind(begin + self._move.takes - self._world.now)
        self._end()
        if self._move.tool == "CronCreate":
            agent.client.crons.append({"id": self.id[-8:], "schedule": "5 14 * * *", "recurring": True})
        event = "PostToolUseFailure" if self._move.fails else "PostToolUse"
        agent.async_hook(event, **self.fields, tool_response=response, duration_ms=1)
        yield agent.delay("result")
        agent.line(lines.result(self.id, agent.prompt_id, response))

    def _is_among_others(self, *, by_hook: bool) -> None:
        """Or is so before anybody can know: of what a hook has allowed no dialog tells."""
        shown_by = self._agent.shows_its_requests
        if shown_by.has_dialog if self._was_beside is None else self._was_beside:
            self.is_among()
        elif by_hook:
            shown_by.just_allowed.append((self._world.now, self))

    def is_among(self) -> None:
        if self.is_open:
            shown_by = self._agent.shows_its_requests
            is_equal = shown_by.dialogs.has_equal(self._move.tool, self._move.target)
            shown_by.among.extend(self._begin(AMONG, EQUAL if is_equal else self._move.tool))

    def _begin(self, kind: str, detail: str = "") -> list[Episode]:
        truth, now, what = self._world.truth, self._world.now, detail or self._move.tool
        label = self._agent.shows_its_requests.label
        return [truth.begin(kind, key, now, what, is_alone=key[0] != label) for key in self._agent.rows]

    def _waits(self, takes: float) -> Generator[float | Signal, str, str]:
        """For its end, or until a person moves it into the background."""
        self.over = Signal()
        self._world.stage.after(takes, lambda: self.over.give("ended"))
        return (yield self.over)

    def move_to_background(self) -> None:
        if self._pid and self.is_open:
            self.over.give(MOVED)

    def _watch(self, takes: float) -> str:
        """A monitor tells of something half-way, and then of its end."""
        agent, name = self._agent, self._leave_behind(takes)
        self._world.stage.after(max(takes, 0.1) / 2, lambda: agent.client.monitor_tells(name))
        return name

    def _leave_behind(self, takes: float) -> str:
        pid, self._pid = self._pid, 0
        return self._agent.client.shell(pid, max(takes, 0.1), self.id)

    def _end(self) -> None:
        self._deal.ended = self._world.now
        for episode in self._approved:
            episode.end = self._world.now
        self.is_open = False
        if self._pid:
            self._agent.client.outlet.ends(self._pid)
            self._pid = 0
