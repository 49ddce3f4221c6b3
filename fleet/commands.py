"""The commands about other machines, with their options. The module of a command is imported when it runs."""

from __future__ import annotations

import argparse

from statusbar.command import carefully

JSON = "print JSON, for scripts"
HOSTS = """List the other machines whose agents are shown here, and how each is reached. `hosts add` and `hosts remove`
change the list, which is stored in hosts.toml beside config.toml."""
ADD = """Show the agents of another machine here too. COMMAND is what you type to run something there: anything that can
run `yourturn status` there and print it here. It is tried at once."""
ADD_EPILOG = """Examples:

  yourturn hosts add box 'ssh box'                 your ssh configuration counts: ports, keys, jump hosts
  yourturn hosts add dev 'docker exec -i dev'      a container
  yourturn hosts add wsl 'wsl.exe -e'              Linux beside Windows
  yourturn hosts add box 'ssh box' --install       bring yourturn there over ssh, with its hooks
  yourturn hosts add --broker mqtts://hub.example  all machines on which you have said `yourturn share`

yourturn must be installed there, with its hooks; nothing else is installed, and nothing listens. --install brings it
over the same connection into your home folder there, and `hosts remove box --uninstall` takes it back.

Exit codes: 0 added, and it answers; 1 it does not answer (it is not added, unless with --anyway); 2 wrong usage;
3 there is a machine of that name already."""
SHARE = """Tell an MQTT broker what the agents of this machine are doing, as it changes. Whoever may read there
shows them with `yourturn hosts add --broker`. With no URL, shows what is shared."""
SHARE_EPILOG = """--details says what leaves this machine:
  states    states and project names (the default): no details, no folders, no titles
  details   names, and what an agent does or asks for, as the board shows it, too
  folders   working folders, tmux panes and evidence too

The file of --credentials has lines such as
  user = "box"
  password = "…"
or
  certificate = "/path/box.crt"
  key = "/path/box.key"
and only you may read it (chmod 600).

Exit codes: 0 done; 1 the broker does not answer or refuses (nothing is shared, unless with --anyway); 2 wrong usage."""
LEVELS = ("states", "details", "folders")
REMOVE = """Do not show the agents of this machine any more."""


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser], _word: str = "") -> None:
    hosts = subparsers.add_parser("hosts", help="show agents of other machines too", description=HOSTS)
    hosts.add_argument("--json", action="store_true", help=JSON)
    hosts.set_defaults(func=lambda args: carefully("fleet.hosts", args), verb="list")
    verbs = hosts.add_subparsers(metavar="VERB", title="verbs", prog="yourturn hosts")
    _register_add(verbs)
    _register_remove(verbs)
    _register_share(subparsers)
    # Neither is listed: front ends start the first, `uninstall` the second.
    collect = subparsers.add_parser("collect", description="Bring the statuses of other machines here.")
    collect.add_argument("--hosts-file", metavar="FILE", help=argparse.SUPPRESS)
    collect.add_argument("--starting-lock", type=int, metavar="FD", help=argparse.SUPPRESS)
    collect.set_defaults(func=lambda args: carefully("fleet.collect", args))
    back = subparsers.add_parser("take-back", description="Take back what a broker keeps of this machine.")
    back.add_argument("--share-file", metavar="FILE", required=True, help=argparse.SUPPRESS)
    back.set_defaults(func=lambda args: carefully("fleet.take_back", args))


def _register_add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    add = verbs.add_parser(
        "add", help="show another machine", description=ADD, epilog=ADD_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    add.add_argument("name", metavar="NAME", nargs="?", default="", help="what it is called here")
    add.add_argument(
        "command", metavar="COMMAND", nargs="?", default="", help="what you type to run something there, in quotes"
    )
    add.add_argument("--program", metavar="WORDS", default="", help="how yourturn is called there, if it is not found")
    add.add_argument("--install", action="store_true", help="install yourturn there first, with its hooks")
    add.add_argument("--anyway", action="store_true", help="add it even if it does not answer now")
    add.add_argument("--broker", metavar="URL", default="", help="instead, show the machines that share with a broker")
    add.add_argument("--owner", metavar="NAME", default="", help="whose machines (default: yours); '*': everybody's")
    add.add_argument(
        "--total", action="store_true", help="tell the broker how many agents of all machines are in which state"
    )
    _register_broker(add)
    add.add_argument("--json", action="store_true", help=JSON)
    add.set_defaults(verb="add")


def _register_broker(command: argparse.ArgumentParser) -> None:
    """Who we are for a broker, and how we know that it is the right one."""
    command.add_argument("--credentials", metavar="FILE", default="", help="with user and password, for the broker")
    command.add_argument("--ca", metavar="FILE", default="", help="who signs its certificate (default: the system's)")
    command.add_argument("--insecure", action="store_true", help="allow mqtt://, which is not encrypted")


def _register_share(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    share = subparsers.add_parser(
        "share", help="show this machine's agents on other machines", description=SHARE, epilog=SHARE_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    share.add_argument("url", metavar="URL", nargs="?", help="mqtts://HOST[:PORT]; off: share nothing any more")
    share.add_argument("--details", choices=LEVELS, default=LEVELS[0], help="what is shared (default: %(default)s)")
    share.add_argument("--owner", metavar="NAME", default="", help="under whose name (default: yours)")
    share.add_argument("--host", metavar="NAME", default="", help="what this machine is called there")
    share.add_argument("--anyway", action="store_true", help="share even if the broker does not answer now")
    share.add_argument("--json", action="store_true", help=JSON)
    _register_broker(share)
    share.set_defaults(func=lambda args: carefully("fleet.share", args))


def _register_remove(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    remove = verbs.add_parser("remove", help="stop showing a machine", description=REMOVE)
    remove.add_argument("name", metavar="NAME")
    remove.add_argument("--uninstall", action="store_true", help="remove there what `hosts add --install` has brought")
    remove.add_argument("--json", action="store_true", help=JSON)
    remove.set_defaults(verb="remove")
