"""The main agent of a session: prompts open its turns, Stop hooks close them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulator import lines
from simulator.agent import BETWEEN, FIRST, STOP, Agent
from simulator.outlet import EscapeError
from simulator.truth import WAITING, Episode

if TYPE_CHECKING:
    from simulator.client import Client
    from simulator.lines import Record
    from simulator.program import Move
    from simulator.stage import Play

STOP_HOOK_THINKS = "own Stop hook thinks"
PROMPT = "please do it"


class MainAgent(Agent):
    def __init__(self, client: Client) -> None:
        super().__init__(client, "main")

    def begin(self, script: tuple[Move, ...]) -> None:
        self._open()
        self._actor = self.client.play(self._turn(self._prompted(script)))

    def hear(self, agent: str, call_id: str) -> None:
        super().hear(agent, call_id)
        self.line(lines.queue("enqueue", self.news[-1]))
        self._soon_take_news()

    def _soon_take_news(self) -> None:
        if self.news and not self.is_in_turn:
            self.world.stage.after(self.delay("news"), self._take_news)

    def _take_news(self) -> None:
        """In a turn of its own, if none is open."""
        if self.client.is_alive and self.news and not self.is_in_turn:
            self._open()
            self._actor = self.client.play(self._turn(self._told(self.take_news())))

    def _open(self) -> None:
        if self._actor:
            self._actor.end()  # Stop hooks that still run do not keep anybody from beginning
        self.is_in_turn, self.phase = True, FIRST
        self.prompt_id = f"prompt-{self.world.number('prompt')}"

    def _turn(self, play: Play) -> Play:
        try:
            yield from play
        except EscapeError:
            self._is_interrupted()
        self.is_in_turn = self.is_asking = False
        self._soon_take_news()

    def _prompted(self, script: tuple[Move, ...]) -> Play:
        yield from self.hook("UserPromptSubmit", prompt=PROMPT)
        self.line(lines.prompt(PROMPT, self.prompt_id))
        yield from self._work_to_the_end(script)

    def _told(self, news: str) -> Play:
        self.line(lines.queue("dequeue"))
        yield from self.hook("UserPromptSubmit", prompt=news)
        self.line(lines.news(news, self.prompt_id))
        yield from self.work(())
        yield from self._stops(active=False)

    def _work_to_the_end(self, script: tuple[Move, ...]) -> Play:
        yield from self.work(script)
        for _ in range(self.world.program.own.stop_blocks):
            yield from self._sent_back()
        yield from self._stops(active=self.world.program.own.stop_blocks > 0)

    def _sent_back(self) -> Play:
        """A Stop hook of the user's finds that there is more to do."""
        begin = self.world.now
        self.phase = STOP
        yield from self.hook("Stop", **self._stop(active=False))
        yield self.world.program.own.after
        self.line(lines.user("Stop hook feedback:\nmore", promptId=self.prompt_id, isMeta=True))
        self.line(lines.stop_summary("more"))
        self.world.truth.episodes.append(Episode(STOP_HOOK_THINKS, self.truth_key, begin, self.world.now, WAITING))
        self.phase = BETWEEN
        yield from self.work(self.world.program.own.sent_back_to)

    def _stops(self, *, active: bool) -> Play:
        """The words are all said: it is the person's turn while the Stop hooks run."""
        self.phase, self.is_in_turn = STOP, False
        yield from self.hook("Stop", **self._stop(active=active))
        self.line(lines.stop_summary())
        self.line(lines.turn_duration())

    def _stop(self, *, active: bool) -> Record:
        more = {"stop_hook_active": active, "last_assistant_message": "some words"}
        return {**more, "background_tasks": self.client.tasks, "session_crons": []}
