"""Programs that are played on the model and on the real client, each with a sentence for a name.

Steps take about a second: so everything that the model shows between two of them is known to come before the second.
"""

from __future__ import annotations

from simulator.program import (
    FEEDBACK,
    NO,
    YES,
    Ask,
    Call,
    Compact,
    Deed,
    Fail,
    Move,
    Own,
    Program,
    Retry,
    Say,
    Spawn,
    Together,
    Wait,
)

MCP, FORM = "mcp__slow__wait", "mcp__slow__ask"
START = Deed(0.0, "a", "start")


def says(*script: Move, at: float = 2.0, who: str = "a") -> Deed:
    return Deed(at, who, "prompt", script)


def program(*deeds: Deed, own: Own | None = None, hooks: bool = True) -> Program:
    return Program(1, (START, *deeds), own or Own(), hooks=hooks, even=True)


def does(at: float, do: str, word: str = "", takes: float = 0.0, who: str = "a") -> Deed:
    return Deed(at, who, do, word=word, takes=takes)


def bash(ask: Ask | None = None, *, fails: bool = False) -> Call:
    return Call("Bash", "x", 1.0, ask, fails=fails)


def pane(name: str, *script: Move) -> Spawn:
    return Spawn(name, script, is_mate=True, in_pane=True)


def yes() -> Ask:
    return Ask(YES, 1.0)


PROGRAMS = {
    "text": program(says(Say(1.0))),
    "bash free": program(says(Say(1.0), bash(), Say(1.0))),
    "bash fails": program(says(bash(fails=True), Say(1.0))),
    "bash approved": program(says(bash(yes()), Say(1.0))),
    "bash rejected with no": program(says(bash(Ask(NO, 1.0))), says(Say(1.0), at=7.0)),
    "bash rejected with escape": program(says(bash(Ask("", 1.0))), does(5.0, "escape"), says(Say(1.0), at=7.0)),
    "bash rejected with feedback": program(says(bash(Ask(FEEDBACK, 1.0)), Say(1.0))),
    "write free and approved": program(says(Call("Write", "x", 0.01), Call("Write", "x", 0.01, yes()), Say(1.0))),
    "server approved": program(says(Call(MCP, "x", 1.0, yes()), Say(1.0))),
    "server free": program(says(Call(MCP, "x", 1.0), Say(1.0))),
    "server rejected with no": program(says(Call(MCP, "x", 1.0, Ask(NO, 1.0)))),
    "question and plan": program(
        says(Call("AskUserQuestion", "Which one?", 0.01, yes()), Call("ExitPlanMode", "plan", 0.01, yes()), Say(1.0))
    ),
    "question rejected": program(says(Call("AskUserQuestion", "Which one?", 0.01, Ask(NO, 1.0)))),
    "escape before any output": program(says(Wait(9.0), Say(1.0)), does(4.0, "escape"), says(Say(1.0), at=7.0)),
    "escape in stream": program(says(Say(9.0)), does(4.0, "escape"), says(Say(1.0), at=7.0)),
    "escape in a tool": program(says(Call("Bash", "x", 9.0)), does(4.0, "escape"), says(Say(1.0), at=7.0)),
    "queued prompt": program(says(Call("Bash", "x", 4.0), Say(1.0)), says(Say(1.0), at=4.0)),
    "queued prompt while it writes": program(says(Say(4.0)), says(Say(1.0), at=4.0)),
    "parallel calls": program(says(Together((bash(), bash())), Say(1.0))),
    "parallel calls that only read": program(
        says(Together((Call("Bash", "cat x", 1.0), Call("Bash", "cat y", 2.0))), Say(1.0))
    ),
    "parallel calls of servers": program(says(Together((Call(MCP, "x", 1.0), Call(MCP, "y", 1.0))), Say(1.0))),
    "parallel calls, second asks": program(says(Together((bash(), bash(yes()))), Say(1.0))),
    "parallel calls that ask": program(says(Together((bash(yes()), bash(yes()))), Say(1.0))),
    "parallel calls, second rejected": program(says(Together((bash(yes()), bash(Ask(NO, 1.0)))), Say(1.0))),
    "background sub-agent": program(says(Spawn("job", (bash(), Say(3.0))), Say(1.0))),
    "foreground sub-agent": program(says(Spawn("job", (bash(), Say(1.0)), background=False), Say(1.0))),
    "foreground sub-agent rejected with no": program(
        says(Spawn("job", (bash(Ask(NO, 1.0)), Say(1.0)), background=False), Say(1.0))
    ),
    "foreground sub-agent rejected with escape": program(
        says(Spawn("job", (bash(Ask("")), Say(1.0)), background=False), Say(1.0)), does(5.0, "escape")
    ),
    "foreground sub-agent's server rejected with escape": program(
        says(Spawn("job", (Call(MCP, "x", 1.0, Ask("")), Say(1.0)), background=False), Say(1.0)), does(5.0, "escape")
    ),
    "foreground sub-agent's server rejected with no": program(
        says(Spawn("job", (Call(MCP, "x", 1.0, Ask(NO, 1.0)), Say(1.0)), background=False), Say(1.0))
    ),
    "foreground sub-agent's file rejected with escape": program(
        says(Spawn("job", (Call("Write", "x", 0.01, Ask("")), Say(1.0)), background=False), Say(1.0)),
        does(5.0, "escape"),
    ),
    "sub-agent ends while main writes": program(says(Spawn("job", (bash(), Say(1.0))), Say(6.0))),
    "two sub-agents end while main writes": program(
        says(Together((Spawn("one", (Say(1.0),)), Spawn("two", (Say(2.0),)))), Say(6.0))
    ),
    "sub-agent ends while main calls": program(says(Spawn("job", (Say(1.0),)), Call("Bash", "x", 6.0), Say(1.0))),
    "sub-agent after a call of main": program(says(bash(), Spawn("job", (bash(), Say(4.0))), Say(1.0))),
    "sub-agent asks": program(says(Spawn("job", (Wait(4.0), bash(yes()), Say(1.0))), Say(1.0))),
    "sub-agent rejected": program(says(Spawn("job", (Wait(4.0), bash(Ask(NO, 1.0)), Say(1.0))), Say(1.0))),
    "two sub-agents ask": program(
        says(
            Together(
                (Spawn("one", (Wait(3.0), bash(yes()), Say(4.0))), Spawn("two", (Wait(3.5), bash(yes()), Say(7.0))))
            ),
            Say(1.0),
        )
    ),
    "depth 2": program(says(Spawn("outer", (Spawn("inner", (Say(6.0),)), Say(2.0))), Say(1.0))),
    "teammate": program(says(Spawn("mia", (Say(4.0),), is_mate=True), Say(1.0))),
    "own hook allows at once": program(says(bash(Ask("")), Say(1.0)), own=Own(YES)),
    "own hook allows late": program(says(bash(Ask("")), Say(1.0)), own=Own(YES, 1.5)),
    "own hook denies": program(says(bash(Ask("")), Say(1.0)), own=Own(NO, 1.0)),
    "own hook allows a sub-agent": program(
        says(Spawn("job", (Wait(3.0), bash(Ask("")), Say(1.0))), Say(1.0)), own=Own(YES, 1.0)
    ),
    "own Stop hook sends it back": program(says(Say(1.0)), own=Own(after=1.0, stop_blocks=1, sent_back_to=(bash(),))),
    "own prompt hook blocks": program(
        says(Say(1.0)), says(Say(1.0), at=5.0), says(Say(1.0), at=8.0), own=Own(after=1.0, prompt_blocks=True)
    ),
    "own prompt hook blocks the news of a shell": program(
        says(Call("Bash", "x", 5.0, background=True), Say(1.0)), own=Own(after=1.0, prompt_blocks=True)
    ),
    "compaction done": program(says(Say(1.0)), does(6.0, "compact", "done", 1.0)),
    "compaction refused": program(does(3.0, "compact", "refused")),
    "compaction failed": program(says(Say(1.0)), does(6.0, "compact", "failed", 1.0)),
    "compaction cancelled": program(says(Say(1.0)), does(6.0, "compact", "done", 4.0), does(8.0, "escape")),
    "compaction in mid-turn": program(says(bash(), Compact(1.0))),
    "rate limit": program(says(Fail(1.0)), says(Say(1.0), at=7.0)),
    "sub-agent fails": program(says(Spawn("job", (Fail(4.0),)), Say(1.0))),
    "background shell": program(says(Call("Bash", "x", 5.0, background=True), Say(1.0))),
    "ctrl-b": program(says(Call("Bash", "x", 7.0), Say(1.0)), does(5.0, "background")),
    "clear": program(says(Say(1.0)), does(6.0, "clear"), says(Say(1.0), at=9.0)),
    "exit and resume": program(
        says(Say(1.0)), does(6.0, "exit"), does(9.0, "resume", "a", who="b"), says(Say(1.0), at=12.0, who="b")
    ),
    "second terminal": program(
        says(Say(1.0)), does(6.0, "resume", "a", who="b"), says(Say(1.0), at=9.0, who="b"), says(Say(1.0), at=13.0)
    ),
    "fork": program(says(Say(1.0)), does(6.0, "fork", "a", who="b"), says(Say(1.0), at=9.0, who="b")),
    "kill": program(says(Call("Bash", "x", 9.0)), does(5.0, "kill"), does(7.0, "resume", "a", who="b")),
    "ctrl-z": program(says(bash()), does(6.0, "stop"), does(8.0, "cont"), says(Say(1.0), at=10.0)),
    "local command": program(says(Say(1.0)), does(6.0, "local")),
    "menu at rest": program(says(Say(1.0)), does(6.0, "menu"), does(8.0, "close menu"), says(Say(1.0), at=10.0)),
    "menu in mid-turn": program(says(Say(4.0)), does(4.0, "menu"), does(9.0, "close menu"), says(Say(1.0), at=11.0)),
    "overloaded twice": program(says(Retry(3.0), Say(1.0))),
    "server asks": program(says(Call(FORM, "x", 1.0, elicits=yes()), Say(1.0))),
    "server asks, is refused": program(says(Call(FORM, "x", 1.0, elicits=Ask(NO, 1.0)), Say(1.0))),
    "server asks, escape": program(says(Call(FORM, "x", 1.0, elicits=Ask("")), Say(1.0)), does(5.0, "escape")),
    "server asks for a sub-agent": program(
        says(Spawn("job", (Wait(3.0), Call(FORM, "x", 1.0, elicits=yes()), Say(1.0))), Say(1.0))
    ),
    "teammate in a pane": program(says(pane("mia", bash(), Say(4.0)), Say(1.0))),
    "teammate in a pane asks": program(says(pane("mia", Wait(4.0), bash(Ask(YES, 7.0)), Say(3.0)), Say(1.0))),
    "teammate in a pane is refused": program(says(pane("mia", Wait(4.0), bash(Ask(NO, 1.0)), Say(3.0)), Say(1.0))),
    "teammate in a pane asks while its lead asks": program(
        says(pane("mia", Wait(2.0), bash(yes()), Say(3.0)), bash(Ask(YES, 9.0)), Say(1.0))
    ),
    "clear with a teammate in a pane": program(
        says(pane("mia", Say(3.0)), Say(1.0)), does(12.0, "clear"), says(Say(1.0), at=15.0)
    ),
    "clear, then a teammate in a pane": program(
        says(Say(1.0)), does(6.0, "clear"), says(pane("mia", Say(4.0)), Say(1.0), at=9.0)
    ),
    "no hooks": program(
        says(bash(yes()), Call("AskUserQuestion", "Which one?", 0.01, yes()), Say(1.0)),
        says(Say(1.0), at=9.0),
        hooks=False,
    ),
    "no hooks, sub-agent asks": program(says(Spawn("job", (Wait(4.0), bash(yes()), Say(1.0))), Say(1.0)), hooks=False),
    "no hooks, depth 2": program(says(Spawn("outer", (Spawn("inner", (Say(6.0),)), Say(2.0))), Say(1.0)), hooks=False),
    "goal": program(says(Say(1.0)), Deed(6.0, "a", "goal", (bash(), Say(1.0)))),
    "goal without hooks": program(says(Say(1.0)), Deed(6.0, "a", "goal", (Say(1.0),)), hooks=False),
    "monitor": program(says(Call("Monitor", "x", 6.0), Say(1.0))),
    "fork while the first calls": program(
        says(Call("Bash", "x", 9.0), Say(1.0)), does(5.0, "fork", "a", who="b"), says(Say(1.0), at=7.0, who="b")
    ),
    "cron": program(says(Call("CronCreate", "x", 0.01), Say(1.0))),
    "second terminal while the first asks": program(
        says(bash(Ask(YES, 5.0)), Say(1.0)), does(4.0, "resume", "a", who="b"), says(Say(1.0), at=5.5, who="b")
    ),
    "escape while two sub-agents work": program(
        says(Together((Spawn("one", (Say(6.0),)), Spawn("two", (Say(8.0),)))), Say(9.0)), does(5.0, "escape")
    ),
    "killed in a tool and spoken to again": program(
        says(Call("Bash", "x", 9.0)),
        does(5.0, "kill"),
        does(7.0, "resume", "a", who="b"),
        says(Say(1.0), at=9.0, who="b"),
    ),
    "killed in stream and spoken to again": program(
        says(bash(), Say(9.0)), does(6.0, "kill"), does(8.0, "resume", "a", who="b"), says(Say(1.0), at=10.0, who="b")
    ),
    "killed at a dialog": program(says(bash(Ask(""))), does(5.0, "kill"), does(7.0, "resume", "a", who="b")),
    "ctrl-z in stream": program(says(Say(6.0)), does(4.0, "stop"), does(6.0, "cont")),
    "ctrl-z at a dialog": program(says(bash(Ask(YES, 5.0)), Say(1.0)), does(4.0, "stop"), does(6.0, "cont")),
    "escape between": program(says(bash(), Wait(9.0), Say(1.0)), does(6.0, "escape"), says(Say(1.0), at=8.0)),
    "escape at a sub-agent's dialog": program(
        says(Spawn("job", (Wait(2.0), bash(Ask("")), Say(1.0))), Say(1.0)), does(8.0, "escape")
    ),
    "escape with a prompt in the queue": program(
        says(Call("Bash", "x", 9.0), Say(1.0)), says(Say(1.0), at=4.0), does(6.0, "escape")
    ),
    "two sessions": program(
        says(bash(yes()), Say(1.0)), Deed(6.0, "b", "start"), says(Say(3.0), at=9.0, who="b"), says(Say(1.0), at=10.0)
    ),
    "teammate asks": program(says(Spawn("mia", (Wait(3.0), bash(yes()), Say(1.0)), is_mate=True), Say(1.0))),
    "escape while a foreground sub-agent works": program(
        says(Spawn("job", (Say(9.0),), background=False), Say(1.0)), does(5.0, "escape")
    ),
    "escape before any output with a sub-agent alive": program(
        says(Spawn("job", (Say(9.0),)), Say(1.0)), says(Wait(9.0), Say(1.0), at=6.0), does(8.0, "escape")
    ),
    "prompt while a shell runs": program(
        says(Call("Bash", "x", 9.0, background=True), Say(1.0)), says(Say(1.0), at=6.0)
    ),
    "own Stop hook sends it back twice": program(says(Say(1.0)), own=Own(stop_blocks=2, sent_back_to=(Say(1.0),))),
    "two foreground sub-agents": program(
        says(
            Together((Spawn("one", (Say(2.0),), background=False), Spawn("two", (Say(4.0),), background=False))),
            Say(1.0),
        )
    ),
    "sub-agent asks while its parent asks": program(
        says(Spawn("job", (Wait(3.0), bash(yes()), Say(3.0))), bash(Ask(YES, 5.0)), Say(1.0))
    ),
    "question of a sub-agent rejected": program(
        says(Spawn("job", (Wait(3.0), Call(MCP, "x", 1.0, Ask(NO, 1.0)), Say(1.0))), Say(1.0))
    ),
}

# Streams that are not compared in one program, and why.
UNSTEADY = {
    "local command": ("registry", "such a command is busy for some milliseconds, which not everybody sees"),
}
# What a client tells at no time in particular: compared by how often it comes, not by where.
UNORDERED = {
    "user text promptSource=queued": "a prompt that an interruption takes from the queue races with the lines of that",
    "Notification": "told six seconds after a dialog has opened, whatever happens meanwhile",
}
# What a slow machine may bring to tell, though the steps are the same: it may come more often than in the model.
BY_TIME = "Notification"
