"""The main agent of a session: prompts open its turns, Stop hooks close them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simulator import lines
from simulator.agent import BETWEEN, FIRST, STOP, Agent, ApiError
from simulator.bounds import chance
from simulator.outlet import EscapeError
from simulator.truth import (
    FAILED,
    GUESS,
    INTERRUPTED,
    NEEDS_APPROVAL,
    PLAIN,
    SHELL,
    WAITING,
    WAKES,
    WORKING,
    Episode,
)

if TYPE_CHECKING:
    from collections.abc import Generator

    from simulator.client import Client
    from simulator.lines import Record
    from simulator.program import Move
    from simulator.stage import Play, Signal

STOP_HOOK_THINKS = "own Stop hook thinks"
INBOX = "a message lies in the inbox"
NEWS = "news of a sub-agent, without hooks"
TYPED = "a prompt is put into the queue, without hooks"
READ_S = 0.5  # until a turn that a message began can be seen
STOP_HOOK_S = 0.5  # beside what it thinks: to start, and for its answer to be written
PROMPT = "please do it"
HALF = 0.5


class MainAgent(Agent):
    def __init__(self, client: Client) -> None:
        super().__init__(client, "main")
        self._queued: list[tuple[Move, ...]] = []
        self._early = ""  # the id of the prompt whose line was written before the end of the turn
        self.had_queue = False
        self._queue_told_at = 0.0  # when the line on the last prompt in it is written
        self.forms = 0  # that servers have opened, whichever agent called them
        self._messages: list[str] = []
        self._unread: list[Episode] = []
        self._unheard: list[Episode] = []
        self._judgements: list[bool] = []  # whether its goal will be found met, each time that it stops
        self._pursued: tuple[Move, ...] = ()  # what it does for that, each time
        self._left = 0  # who have been told to have left the queue
        self._absorbed: list[tuple[Move, ...]] = []
        self._ended: str | None = None  # how its last turn did; None if there was none, or none of prompts

    @property
    def state(self) -> str:
        state = NEEDS_APPROVAL if self.forms else super().state
        if not self.client.gate.is_open:
            return state if state == NEEDS_APPROVAL else WAITING
        is_due = self._queued or self.client.is_clearing or any(pane.is_at_work for pane in self.client.panes)
        return WORKING if state == WAITING and is_due else state

    @property
    def rest(self) -> str | None:
        """Without the registry only a Stop tells what goes on, be it one before a /clear."""
        client, program = self.client, self.world.program
        if self.state != WAITING or not client.gate.is_open or self._ended is None:
            return None
        if self._ended:
            return self._ended
        if client.shells:
            return SHELL if program.registry or client.shells <= client.listed else None
        if client.crons and client.outlet.lost_stops:
            return None  # it would have told of them
        return WAKES if client.crons and client.has_told_crons and program.hooks else PLAIN

    @property
    def _unseen(self) -> str | None:
        """How an interruption ends a turn that leaves no trace."""
        is_guessed = self.phase == FIRST and not self.world.program.registry and not self.client.panes
        return GUESS if is_guessed else None

    def session_hook(self, event: str, **more: Any) -> Play:
        """A hook of its session, without its mode."""
        yield from self.client.outlet.hook(self.client.payload(event, prompt_id=self.prompt_id, **more))

    # --- how its turns begin

    def begin(self, script: tuple[Move, ...]) -> None:
        if self.is_in_turn or self._queued:  # nobody overtakes those who wait
            self._queued.append(script)
            self.had_queue = True
            self.client.play(self.client.outlet.hook(self.payload("UserPromptSubmit", prompt=PROMPT)))
            self.line(lines.queue("enqueue", PROMPT))
            self._queue_told_at = self.world.now + self.client.outlet.flushed(self.path)
        else:
            self._open(self._prompted(script))

    def run(self, play: Play) -> None:
        """What is no prompt but keeps it busy."""
        self._open(play)
        self._ended = None

    def set_goal(self, script: tuple[Move, ...]) -> None:
        self._open(self._pursues(script))

    def hear(self, task: str, news: str) -> None:
        super().hear(task, news)
        self.line(lines.queue("enqueue", news))
        if self.awaited and not self.world.program.hooks:
            self._unheard.append(self.world.truth.begin(NEWS, self.truth_key, self.world.now))
        self._next()

    def expect_message(self, mate: str) -> None:
        """A teammate goes idle, and its lead will hear of it."""
        self.awaited.add(mate)

    def take_message(self, name: str) -> None:
        self._messages.append(name)
        self._unread.append(self.world.truth.begin(INBOX, self.truth_key, self.world.now))
        self.world.stage.after(self.delay("message"), self._next)

    def absorbs(self) -> Generator[float | Signal, Any, bool]:
        """What waits in the queue when calls have ended becomes part of the turn."""
        if self.phase != BETWEEN or not (self._queued or self.news):
            return False
        news, queued = self.news, self._queued
        self.news, self._queued = [], []  # what is said while the hooks run has to wait
        for content in [*news, *(PROMPT for _ in queued)]:
            self.line({**lines.queue("remove", content), "reason": "absorbed_mid_turn"})
        self._absorbed = [*self._absorbed, *queued]
        self._has_read(self._unheard)
        self.awaited -= {
            sub.key for sub in self.client.subs if any(f"<task-id>{sub.key}<" in content for content in news)
        }
        for content in news:  # of a prompt the hooks have been told when it was typed
            yield from self.hook("UserPromptSubmit", prompt=content)
        return bool(self._absorbed)

    @property
    def has_next(self) -> bool:
        return bool(self._queued or self.news or self._messages)

    def _next(self) -> None:
        """A turn that follows by itself, if none is open."""
        if self.has_next and not self.is_in_turn:
            self.world.stage.after(self.delay("news"), self._take_next)

    def _take_next(self) -> None:
        if not self.client.speaks or self.client.is_clearing or self.is_in_turn:
            return  # the end of its turn will come back to it
        self.client.keyboard.close_menu()  # else nothing would begin
        if not self.client.gate.is_open:
            self.client.gate.pass_(self._next)
        elif self._queued:
            self._open(self._dequeued(self._queued.pop(0)))
        elif self.news:
            self._open(self._takes_news([self.take_news() for _ in list(self.news)]))
        elif self._messages:
            self._open(self._written_to())

    def _open(self, play: Play) -> None:
        if self._actor:
            self._actor.end()  # Stop hooks that still run do not keep anybody from beginning
        if self.unseen_end:
            self.unseen_end.end = min(self.unseen_end.end, self.world.now)
        self.is_in_turn, self.phase, self._ended = True, FIRST, PLAIN
        self.prompt_id = f"prompt-{self.world.number('prompt')}"
        self._actor = self.client.play(self._turn(play))

    # --- a turn

    def _turn(self, play: Play) -> Play:
        try:
            yield from play
        except EscapeError as escape:
            self._is_interrupted(escape)
        except ApiError as error:
            yield from self._fails(str(error))
        self.is_in_turn = self.is_asking = False
        self._leaves_untold()
        self._next()

    def _leaves_untold(self) -> None:
        """A prompt that waits, where nothing has told of it yet."""
        now, told_at = self.world.now, self._queue_told_at
        if self._queued and told_at > now and not self.world.program.hooks:
            self.world.truth.episodes.append(Episode(TYPED, self.truth_key, now, told_at))

    def _is_interrupted(self, escape: EscapeError) -> None:
        """A prompt that waits leaves the queue at once."""
        if self._queued:
            self._leave_queue()
            self._left = 1
            if self._batch and not escape.at_dialog and self._is_overtaken():
                self._overtakes()
        self.ended_at = self.world.now
        if self._ended is not None:  # before any output, or at its end, nothing is written
            self._ended = INTERRUPTED if self.phase not in (FIRST, STOP) else self._unseen
        super()._is_interrupted(escape)

    def _is_overtaken(self) -> bool:
        """Seen, where a call runs: the queued prompt is written before the interruption, or after."""
        program = self.world.program
        return not program.even and chance(program.seed, "prompt overtakes", str(self.world.number("overtaken"))) < HALF

    def _overtakes(self) -> None:
        """It is written before the interruption that lets it begin."""
        self._early = f"prompt-{self.world.number('prompt')}"
        self.line(lines.prompt(PROMPT, self._early, "queued"))

    def _prompted(self, script: tuple[Move, ...]) -> Play:
        yield from self.hook("UserPromptSubmit", prompt=PROMPT)
        if self._is_refused():
            yield from self._refused()
            return
        self._take_over()
        self.line(lines.prompt(PROMPT, self.prompt_id))
        yield from self._work_to_the_end(script)

    def _is_refused(self) -> bool:
        """By a hook of the user's own, which looks at every prompt, also at those that no person gave."""
        return self.world.program.own.prompt_blocks and self.world.number("own prompt") % 2 == 0

    def _refused(self) -> Play:
        yield self.world.program.own.after
        self.line(lines.system("informational", content="blocked by a hook", preventContinuation=True))

    def _pursues(self, script: tuple[Move, ...]) -> Play:
        """A goal is a Stop hook of the client's own, which asks the API whether it is met."""
        yield from self.hook("UserPromptSubmit", prompt="/goal all is well")
        self._take_over()
        for record in lines.goal(self.prompt_id):
            self.line(record)
        self._judgements, self._pursued = [False, True], script
        yield from self._work(script)
        yield from self._stops(active=False)

    def _take_over(self) -> None:
        """What a session that goes on elsewhere writes when it is first spoken to."""
        client = self.client
        client.outlet.repeat(self.path, client.repeats)
        for record in client.amends:
            self.client.outlet.line(self.path, record, client.began)
        client.repeats, client.amends = [], []

    def _dequeued(self, script: tuple[Move, ...]) -> Play:
        """Of a prompt in the queue the hooks have been told when it came."""
        self._leave_queue()
        if self._early:
            self.prompt_id, self._early = self._early, ""
        else:
            self.line(lines.prompt(PROMPT, self.prompt_id, "queued"))
        yield from self._work_to_the_end(script)

    def _takes_news(self, news: list[str]) -> Play:
        """All that waits is told in one turn."""
        self._leave_queue(len(news))
        self._has_read(self._unheard)
        told = 0
        for one in news:
            yield from self.hook("UserPromptSubmit", prompt=one)
            if self._is_refused():
                yield from self._refused()
                continue
            if tools := self._tools_used(one):
                self.line(lines.tools_used(tools, self.prompt_id))
            self.line(lines.news(one, self.prompt_id))
            told += 1
        if told:
            yield from self._work(())
            yield from self._stops(active=False)

    def _leave_queue(self, many: int = 1) -> None:
        """Told once: what waited for the end of a turn left the queue with that."""
        for _ in range(many - self._left):
            self.line(lines.queue("dequeue"))
        self._left = 0

    def _tools_used(self, news: str) -> list[str]:
        """By the sub-agent that this is about, and not by this agent before."""
        used = {tool for sub in self.client.subs if f"<task-id>{sub.key}<" in news for tool in sub.tools}
        new = sorted(used - self.tools)
        self.tools |= used
        return new

    def _written_to(self) -> Play:
        """All messages that lie in its inbox; no hook tells of them."""
        for name in self._messages:
            self.awaited = {task for task in self.awaited if not task.startswith(f"a{name}-")}
            self.line(lines.message(name, self.prompt_id))
        self._messages = []
        self._has_read(self._unread)
        yield from self._work(())
        yield from self._stops(active=False)

    def _has_read(self, episodes: list[Episode]) -> None:
        for episode in episodes:
            episode.end = self.world.now + READ_S
        episodes.clear()

    def _work_to_the_end(self, script: tuple[Move, ...]) -> Play:
        blocks = self.world.program.own.stop_blocks
        yield from self._work(script)
        for number in range(blocks):
            yield from self._sent_back(active=number > 0)
        yield from self._stops(active=blocks > 0)

    def _work(self, script: tuple[Move, ...]) -> Play:
        yield from self.work(script)
        while self._absorbed:
            yield from self.work(self._absorbed.pop(0))

    # --- its ends

    def _fails(self, error: str) -> Play:
        self.phase, self.is_in_turn, self._ended = STOP, False, FAILED
        self.ended_at = self.world.now
        self.line(lines.failed(error))
        yield from self.hook("StopFailure", error=error, last_assistant_message="API Error: scripted")
        self.line(lines.turn_duration())

    def _sent_back(self, *, active: bool) -> Play:
        """A Stop hook of the user's finds that there is more to do."""
        self.phase, now = STOP, self.world.now
        end = now + self.world.program.own.after + STOP_HOOK_S
        self.world.truth.episodes.append(Episode(STOP_HOOK_THINKS, self.truth_key, now, end))
        yield from self.hook("Stop", **self._stop(active=active))
        yield self.world.program.own.after
        self.line(lines.user("Stop hook feedback:\nmore", promptId=self.prompt_id, isMeta=True))
        self.line(lines.stop_summary("more"))
        self.phase = BETWEEN
        yield from self._work(self.world.program.own.sent_back_to)

    def _misses_goal(self, *, active: bool) -> Play:
        self.phase = STOP
        thinks = self.world.truth.begin(STOP_HOOK_THINKS, self.truth_key, self.world.now)
        yield from self.hook("Stop", **self._stop(active=active))
        yield self.delay("goal is judged")
        thinks.end = self.world.now + STOP_HOOK_S
        self.line(lines.user("Stop hook feedback:\n[all is well]: not yet", promptId=self.prompt_id, isMeta=True))
        self.line({**lines.stop_summary(), "hasOutput": True})
        self.phase = BETWEEN
        yield from self._work(self._pursued)

    def _stops(self, *, active: bool) -> Play:
        """The words are all said: it is the person's turn while the Stop hooks run."""
        has_hooks = self.world.program.hooks or bool(self._judgements)  # a goal is one
        while self._judgements and not self._judgements.pop(0):
            yield from self._misses_goal(active=active)
            active = True
        self.phase, self.is_in_turn, self.ended_at = STOP, False, self.world.now
        yield from self.hook("Stop", **self._stop(active=active))
        if leaves := 1 if self._queued else len(self.news):
            self._leave_queue(leaves)
            self._left = leaves
        if has_hooks:
            self.line(lines.stop_summary())
        if not self.client.has_mates:
            going_on = [sub for sub in self.client.subs if sub.is_listed or sub.key in self.awaited]
            self.line(lines.turn_duration(len(going_on)))

    def _stop(self, *, active: bool) -> Record:
        more = {"stop_hook_active": active, "last_assistant_message": "some words"}
        self.client.listed, self.client.has_told_crons = self.client.shells, bool(self.client.crons)
        return {**more, "background_tasks": self.client.tasks, "session_crons": list(self.client.crons)}
