"""The situation of each broken law: a small program in which it makes a light wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from simulator.program import NO, YES, Ask, Call, Deed, Fail, Fault, Move, Own, Program, Say, Spawn, Together, Wait

MCP = "mcp__web__fetch"


def program(*deeds: Deed, **more: Any) -> Program:
    return replace(Program(1, (Deed(0.0, "a", "start"), *deeds), even=True), **more)


def says(at: float, *script: Move) -> Deed:
    return Deed(at, "a", "prompt", script)


def both(*scripts: tuple[Move, ...]) -> Together:
    return Together(tuple(Spawn(f"job {number}", script) for number, script in enumerate(scripts)))


def asks(target: str, takes: float, after: float, answer: str = YES, tool: str = MCP) -> Call:
    return Call(tool, target, takes, Ask(answer, after))


STARTED = says(1.0, Say(0.2))
ESCAPE = Deed(1.06, "a", "escape")


def pane(name: str, *script: Move) -> Spawn:
    return Spawn(name, script, is_mate=True, in_pane=True)


SITUATIONS = {
    "another one's command answers a request": program(
        says(1.0, both((asks("npm install x", 3.0, 1.0, "", "Bash"),), (Call("Bash", "ls -la", 0.1), Say(1.0))))
    ),
    "a Stop hook that continues is an end": program(STARTED, own=Own(stop_blocks=1, sent_back_to=(Say(8.0),))),
    "a Stop hook reopens a turn without a time": program(
        STARTED, own=Own(stop_blocks=1, sent_back_to=(Say(8.0),)), registry=False
    ),
    "a Stop hook that only has output has no say": program(Deed(1.0, "a", "goal", (Say(8.0),)), registry=False),
    "a rejected call goes on": program(says(1.0, asks("rm -rf x", 1.0, 1.0, NO, "Bash")), says(6.0, Say(8.0))),
    "a compaction only ends with its hook": program(STARTED, Deed(6.0, "a", "compact", word="refused")),
    "a quick answer of a hook never counts": program(says(1.0, asks("x", 8.0, 1.0)), own=Own(permission=YES)),
    "two requests are never cleared": program(says(1.0, both((asks("x", 8.0, 1.0),), (asks("y", 8.0, 1.0),)))),
    "a late end of an equal call ends a request": program(
        says(1.0, Call("Edit", "x", 1.0), asks("x", 1.0, 8.0, tool="Edit")),
        registry=False,
        faults=(Fault("late", 4),),
    ),
    "a command goes to whoever asks for the same": program(
        says(1.0, both((asks("ls", 3.0, 8.0, tool="Bash"),), (Say(0.5), Call("Bash", "ls", 1.0), Say(5.0)))),
        registry=False,
    ),
    "a dialog that was closed does not settle what it was about": program(
        says(1.0, both((asks("x", 20.0, 1.0),), (Wait(3.0), Wait(3.0), asks("y", 8.0, 8.0))))
    ),
    "nobody waits for a prompt in the queue": program(says(1.0, Say(5.0)), says(3.0, Say(5.0)), registry=False),
    "the client's note does not end a sub-agent": program(
        says(1.0, Spawn("job", (Say(1.0),)), Say(9.0)), faults=(Fault("lost", 7),)
    ),
    "a sub-agent without a word of its end goes on": program(
        says(1.0, Spawn("job", (Say(2.0),)), Say(9.0)), hooks=False, notes=False
    ),
    "a registry that is late opens a turn again": program(
        STARTED, *(Deed(at, "a", "clear") for at in (4.0, 9.0, 14.0)), even=False, seed=104
    ),
    "a teammate's dialog says nothing of before it": program(
        says(1.0, pane("mia", Wait(5.0), asks("make", 3.0, 6.0, tool="Bash")), asks("a.py", 15.0, 1.0, tool="Edit")),
        faults=(Fault("restart", at=10.0),),
    ),
    "a teammate's dialog in its lead says nothing of before it": program(
        says(
            1.0,
            pane("mia", asks("a.py", 12.0, 1.0, tool="Edit")),
            pane("tom", Wait(5.0), asks("make", 3.0, 6.0, tool="Bash")),
        ),
        faults=(Fault("restart", at=12.0),),
    ),
    "nobody waits for the hook that tells whose dialog it is": program(
        says(1.0, pane("mia", Wait(6.0), asks("a.py", 3.0, 6.0, tool="Edit")), Spawn("job", (asks("x", 20.0, 1.0),))),
        own=Own(permission=YES),
        faults=(Fault("late", 15),),
    ),
    "no word of the registry is ever missed": program(
        Deed(
            0.5,
            "a",
            "prompt",
            (
                Spawn(
                    "job 3", (asks("main.py", 0.2, 1.0, tool="Read"), Call(MCP, "42", 0.02), asks("94", 3.0, 0.5, ""))
                ),
                Spawn("job 70", (asks("92", 3.0, 1.0),)),
            ),
        ),
        even=False,
        seed=2301728,
    ),
    "a command may belong to a call that is made later": program(
        says(1.0, both((asks("ls", 9.0, 0.5, tool="Bash"),), (Wait(1.0), Call("Bash", "ls", 0.5), Say(9.0)))),
        registry=False,
        faults=(Fault("restart", at=7.5),),
    ),
    "a teammate rests only when it has stopped": program(
        says(1.0, Spawn("mia", (Say(1.0),), is_mate=True), Say(9.0)), faults=(Fault("lost", 7),)
    ),
    "MAIN_RULES without approval-asked": program(says(1.0, asks("a.py", 1.0, 5.0, tool="Edit")), registry=False),
    "MAIN_RULES without question-of-a-server": program(
        says(1.0, Call(MCP, "x", 1.0, elicits=Ask(after=5.0))), registry=False
    ),
    "MAIN_RULES without registry-waits": program(says(1.0, asks("a.py", 1.0, 5.0, tool="Edit")), hooks=False),
    "MAIN_RULES without client-stopped": program(says(1.0, Say(20.0)), Deed(4.0, "a", "stop"), Deed(12.0, "a", "cont")),
    "MAIN_RULES without compacting": program(
        STARTED, Deed(6.0, "a", "compact", word="done", takes=5.0), registry=False
    ),
    "MAIN_RULES without turn-open": program(says(1.0, Say(5.0))),
    "MAIN_RULES without children-work": program(says(1.0, Spawn("job", (Say(6.0),)))),
    "MAIN_RULES without queued-prompt-begins": program(says(1.0, Say(5.0)), says(3.0, Say(5.0)), registry=False),
    "MAIN_RULES without silent": program(says(1.0, Say(5.0)), ESCAPE, registry=False),
    "MAIN_RULES without shell-runs": program(says(1.0, Call("Bash", "sleep 30", 30.0, background=True))),
    "MAIN_RULES without wakes-by-itself": program(says(1.0, Call("CronCreate", "look", 0.1))),
    "MAIN_RULES without turn-interrupted": program(says(1.0, Say(9.0)), Deed(4.0, "a", "escape")),
    "MAIN_RULES without turn-over": program(STARTED),
    "SUB_AGENT_RULES without client-stopped": program(
        says(1.0, Spawn("job", (Say(20.0),))), Deed(6.0, "a", "stop"), Deed(14.0, "a", "cont")
    ),
    "SUB_AGENT_RULES without approval-asked": program(says(1.0, Spawn("job", (asks("x", 1.0, 8.0),)))),
    "SUB_AGENT_RULES without outlived": program(says(1.0, Spawn("job", (Spawn("inner", (Say(8.0),)),)))),
    "SUB_AGENT_RULES without news-is-due": program(says(1.0, Spawn("job", (Spawn("inner", (Say(3.0),)),))), even=False),
    "SUB_AGENT_RULES without broke-down": program(says(1.0, Spawn("job", (Fail(0.5),)), Say(9.0))),
    "SUB_AGENT_RULES without stopped": program(says(1.0, Spawn("job", (Say(1.0),)), Say(9.0))),
    "SUB_AGENT_RULES without cut-off": program(
        says(1.0, Spawn("job", (Say(9.0),), background=False)), Deed(4.0, "a", "escape")
    ),
    "SUB_AGENT_RULES without recorded-end": program(
        says(1.0, Spawn("job", (Say(1.0),)), Say(9.0)), faults=(Fault("lost", 7),)
    ),
}
