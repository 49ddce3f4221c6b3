"""A server asks the person something while one of its tools runs: the client tells of it as the main agent's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulator.dialog import Dialog
from simulator.outlet import EscapeError
from simulator.program import NO, YES
from simulator.truth import Deal
from simulator.untold import untold_form

if TYPE_CHECKING:
    from simulator.agent import Agent
    from simulator.program import Ask
    from simulator.stage import Play

FORM = "Elicitation"
WORDS = "question"


class Elicitation:
    def __init__(self, agent: Agent, ask: Ask) -> None:
        self._agent, self._ask, self._world = agent, ask, agent.world
        self._main = agent.client.main
        self._deal = Deal(self._main.truth_key, WORDS, float("inf"))

    def play(self) -> Play:
        """The dialog opens when the hooks have ended; whatever the answer is, the tool goes on with it."""
        client, form = self._agent.client, {"mcp_server_name": "web", "mode": "form"}
        lost = client.outlet.lost_forms
        yield self._agent.delay("server asks")
        self._begin()
        try:
            yield from self._main.session_hook("Elicitation", **form, message="Which name?")
            dialog = Dialog(self._agent, FORM, self._ask)
            is_told = self._world.program.hooks and client.outlet.lost_forms == lost
            if not is_told:
                untold_form(self._main, dialog, self._deal.began)
            client.show(dialog)
            answer = yield dialog.answered
        except EscapeError:
            self._end()
            raise
        self._end()
        action = {YES: "accept", NO: "decline"}.get(answer, "cancel")
        yield from self._main.session_hook("ElicitationResult", **form, action=action)
        about = {"message": f"Elicitation response: {action}", "notification_type": "elicitation_response"}
        client.outlet.async_hook(client.payload("Notification", **about))

    def _begin(self) -> None:
        now = self._world.now
        self._agent.client.opens_form()
        self._deal.began, self._deal.asked = now, (now, float("inf"))
        self._world.truth.deals.append(self._deal)

    def _end(self) -> None:
        now = self._world.now
        self._main.forms -= 1
        self._deal.ended, self._deal.asked = now, (self._deal.began, now)
