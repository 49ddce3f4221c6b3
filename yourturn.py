"""The `yourturn` command: finds the package that has the wanted command, and runs it."""

from __future__ import annotations

import argparse
import gc
import io
import os
import sys
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

ROOMS = {
    "statusbar.cli.commands": ("status", "ps", "wait", "targets", "explain", "line", "log", "tree"),
    "statusbar.cli.answer_commands": ("requests", "allow", "deny", "answer"),
    "statusbar.day.commands": ("day", "stats"),
    "statusbar.commands": ("top", "go", "config", "demo", "notify", "tray", "menubar", "web"),
    "agency.commands": ("spawn", "kill", "agents", "dispatch", "keep"),
    "fleet.commands": ("hosts", "share", "collect", "take-back"),
    "usage.commands": ("usage",),
    "watcher.watch": ("watch",),
    "installer.commands": ("install", "uninstall", "doctor", "login"),
}  # fmt: skip
# As people come to need them. What is in no group, only our own scripts call.
GROUPS = {
    "See your agents": ("up", "status", "top", "ps", "explain", "tree", "log", "day", "stats", "usage", "line", "web"),
    "Act on them": ("go", "requests", "allow", "deny", "answer", "wait", "spawn", "dispatch", "kill", "agents"),
    "Set up": ("install", "hosts", "share", "doctor", "config", "login", "completion", "demo", "uninstall"),
    "Run a part alone": ("tray", "menubar", "notify", "watch"),
}
# Somebody waits for them: a script, a prompt, the Tab key. They only read, so that nothing of theirs is left to end.
SOON_GONE = ("status", "ps", "line", "targets")
HERE = os.path.dirname(os.path.abspath(__file__))
PATIENCE_S = 5.0
QUICK = 8.0  # of the demo where it is printed once
COLUMNS = 80
EXPECTED, WRONG_USAGE, INTERRUPTED = 1, 2, 130
COMPLETION = """\
bash: in ~/.bashrc
    eval "$({yourturn} completion bash)"
zsh: in ~/.zshrc, after compinit
    eval "$({yourturn} completion zsh)"
fish: once
    {yourturn} completion fish > ~/.config/fish/completions/yourturn.fish"""
INTRODUCTION = "yourturn shows which of your coding agents need you, which are working, which are waiting."
FIRST_STEPS = {
    "demo": "see how it looks, with made-up agents",
    "install": "add its hooks to Claude Code (it says what changes, and asks first)",
    "up": "show your agents: in the menu bar, the tray or this terminal",
}


class Help(argparse.HelpFormatter):
    """As wide as the terminal. argparse asks for one with every option, and would import `shutil` to find that out."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


class Command(argparse.ArgumentParser):
    def __init__(self, **words: Any) -> None:
        super().__init__(**{"formatter_class": Help, **words})


class Front(Command):
    """The command itself: its help lists the commands in groups."""

    summaries: dict[str, str]

    def format_help(self) -> str:
        lines = [f"usage: {self.prog} COMMAND …", "", str(self.description), ""]
        for title, words in GROUPS.items():
            lines += [f"{title}:", *(f"  {word:12}{self.summaries[word]}" for word in words), ""]
        return "\n".join([*lines, f"  {'--version':12}print the version", "", str(self.epilog), *self._more()])

    def _more(self) -> list[str]:
        from contract import typed  # noqa: PLC0415 - only help needs it

        return [f"For more: {typed.command('COMMAND --help')}", ""]


def parser(word: str = "") -> argparse.ArgumentParser:
    """Only the package of the wanted command is imported: `yourturn status` must not wait for the others."""
    from contract.version import VERSION  # noqa: PLC0415 - found only once the rooms are

    # Its few words stay English, as ours are: to look for their translation, it would import `locale`.
    argparse._ = lambda text: text  # type: ignore[attr-defined]
    made = Front(
        prog="yourturn",
        description="Shows which of your coding agents need you, are working, or are waiting.",
        epilog="State is stored in $YOURTURN_HOME, or if that is not set, in the platform's\nstate folder.",
    )
    made.add_argument("--version", action="version", version=f"yourturn {VERSION}")
    # With `prog` given, argparse needs no help text to find it out, nor the modules for one.
    commands = made.add_subparsers(
        title="commands", metavar="COMMAND", required=True, prog="yourturn", parser_class=Command
    )
    known = [room for room, words in ROOMS.items() if word in words]
    for room in known or ROOMS:
        import_module(room).register(commands, word if known else "")
    if not known:
        _add_own(commands)
    made.summaries = {action.dest: str(action.help) for action in commands._choices_actions}  # noqa: SLF001 - its only list
    return made


def _columns() -> int:
    """Of the terminal, if there is one: $COLUMNS comes first, as everywhere."""
    chosen = os.environ.get("COLUMNS", "")
    if chosen.isascii() and chosen.isdigit() and int(chosen):
        return int(chosen)
    try:
        return os.get_terminal_size(1).columns or COLUMNS
    except (OSError, ValueError):
        return COLUMNS


def _add_own(commands: argparse._SubParsersAction[Command]) -> None:
    from contract import typed  # noqa: PLC0415 - found only once the rooms are

    bar = commands.add_parser(
        "up",
        help="start the watcher if needed, and show your agents",
        description="Starts the watcher if none is running, then shows your agents: in the menu bar or tray, or live "
        "in the terminal, or as a table printed once.",
    )
    bar.add_argument("--demo", action="store_true", help="run the demo if there is no agent to show")
    bar.add_argument("--at-login", action="store_true", help="show the icon, and wait until the desktop can show it")
    bar.set_defaults(func=up)
    words = commands.add_parser(
        "completion",
        help="print the completion script for your shell",
        description="Prints the script with which a shell completes commands, options and targets.",
        epilog=COMPLETION.format(yourturn=typed.command(anywhere=True)),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    words.add_argument("shell", choices=("bash", "zsh", "fish"))
    words.set_defaults(func=completion)


def up(args: argparse.Namespace) -> int:
    from contract import launch, paths, store  # noqa: PLC0415 - only this command needs them
    from statusbar import front  # noqa: PLC0415
    from statusbar.settings import settings  # noqa: PLC0415
    from statusbar.top import terminal  # noqa: PLC0415

    home = paths.home()
    store.private_folder(home)
    is_ours = launch.is_allowed(os.environ) and launch.ensure_watcher(home, os.environ)
    if args.at_login:
        return main(["menubar"] if sys.platform == "darwin" else ["tray", "--wait"])
    possible = front.possible(os.environ, is_terminal=not terminal.refusal())
    chosen = front.choose(settings.load(os.environ).front, possible)
    _say_what_is_lacking(front.lacking(os.environ, front.has_module))
    # A table that is printed once must wait until the new watcher has looked once.
    patience_s = PATIENCE_S if launch.is_allowed(os.environ) else 0.0
    has_agents = front.has_agents(home, patience_s) if args.demo or not chosen else True
    if not args.demo or has_agents:
        return _show_agents(chosen)
    try:
        code = _demo_until_the_first_agent(home, speed=1.0 if chosen else QUICK)
    finally:
        if is_ours:
            dismiss_watcher(home)
    return _show_agents(chosen, after_demo=True) if code is None else code


def _say_what_is_lacking(package: str) -> None:
    from contract import installation  # noqa: PLC0415 - only this command needs it

    if package:
        print(f"yourturn: for an icon, add {package}: {installation.adding(package)}", file=sys.stderr, flush=True)


def _show_agents(chosen: str, *, after_demo: bool = False) -> int:
    from statusbar import front  # noqa: PLC0415 - only this command needs it

    front.announce(chosen, after_demo=after_demo)
    own = ["--after-demo"] if after_demo and chosen == "terminal" else []
    return main([front.COMMANDS[chosen], *own] if chosen else ["status"])


def _demo_until_the_first_agent(home: str, speed: float) -> int | None:
    """None if there is an agent to show now."""
    from statusbar.command import quietly  # noqa: PLC0415 - only this command needs it
    from statusbar.demo import demo  # noqa: PLC0415

    args = parser("demo").parse_args(["demo", "--speed", str(speed)])
    return quietly(lambda: demo.play(args, home))


def welcome() -> int:
    """Without a command: the board, or how to begin if there was never anything on it."""
    from contract import paths, typed  # noqa: PLC0415 - only this needs them
    from statusbar.model import reader  # noqa: PLC0415
    from statusbar.system import watcher_start  # noqa: PLC0415

    home = paths.home()
    # A heartbeat alone may be of the watcher that ran beside the demo.
    if reader.read(home).sessions or os.path.exists(paths.observations(home)) or watcher_start.has_hooks(os.environ):
        return main(["status"])
    steps = {typed.command(word): words for word, words in FIRST_STEPS.items()}
    widest = max(map(len, steps))
    print(INTRODUCTION, "", *(f"  {line:{widest}}   {words}" for line, words in steps.items()), "", sep="\n")
    print(f"All commands: {typed.command('--help')}")
    return 0


def unknown(word: str) -> int:
    from difflib import get_close_matches  # noqa: PLC0415 - only this needs it

    from contract import typed  # noqa: PLC0415
    from statusbar.text.width import tidy  # noqa: PLC0415

    near = get_close_matches(word, [name for words in GROUPS.values() for name in words], n=2)
    guess = f" Did you mean {' or '.join(near)}?" if near else ""
    every = typed.command("--help")
    print(f"yourturn: there is no command {tidy(word, 40)!r}.{guess} All commands: {every}", file=sys.stderr)
    return WRONG_USAGE


def _commands() -> set[str]:
    return {word for words in (*GROUPS.values(), *ROOMS.values()) for word in words}


def completion(args: argparse.Namespace) -> int:
    from statusbar.cli import completion as scripts  # noqa: PLC0415 - only this command needs it

    print(scripts.script(parser(), args.shell))
    return 0


def dismiss_watcher(home: str) -> None:
    """End the watcher that was started for the demo, unless it has found a session, or a service has replaced it."""
    from statusbar.model import reader  # noqa: PLC0415
    from watcher import instance  # noqa: PLC0415

    statuses = reader.read(home)
    if statuses.heartbeat and statuses.heartbeat.mode == "until-idle" and not statuses.sessions:
        instance.end(statuses.heartbeat)


def find_the_rooms() -> None:
    """First of all, as site-packages may have another `installer`. Never at import, which may be somebody else's."""
    if sys.path[:1] != [HERE]:
        sys.path.insert(0, HERE)


def main(argv: list[str] | None = None) -> int:
    """Without arguments it is the process itself, and may end that."""
    if argv is not None:
        return run(argv)
    code = run(sys.argv[1:])
    return _leave(code) if sys.argv[1:2] and sys.argv[1] in SOON_GONE else code


def run(argv: list[str]) -> int:
    find_the_rooms()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # ? for a symbol that the terminal's encoding does not have
    try:
        if not argv:
            return welcome()
        if not argv[0].startswith("-") and argv[0] not in _commands():
            return unknown(argv[0])
        args = _parsed(argv)
        return int(args.func(args))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader has closed the pipe, as in `yourturn status | head`
        return EXPECTED
    except OSError as error:
        print(f"yourturn: {error}", file=sys.stderr)
        return EXPECTED
    finally:
        _say_the_rest()


def _parsed(argv: list[str]) -> argparse.Namespace:
    """What is imported for it stays: to look through that again and again would find no garbage."""
    gc.disable()
    try:
        return parser(argv[0]).parse_args(argv)
    finally:
        gc.enable()


def _say_the_rest() -> None:
    """Flushed here, because at exit Python would print its own error about a closed pipe or a full disk."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except (OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _leave(code: int) -> NoReturn:
    """At once: to take apart what the kernel frees anyway would take Python 3 ms."""
    if sys.stderr is not None:
        sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    sys.exit(main())
