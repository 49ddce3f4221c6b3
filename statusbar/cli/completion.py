"""`yourturn completion`: the scripts by which shells complete commands, options and targets.

shtab makes them from the parsers. Targets are asked of `yourturn targets`, a command that no help shows. Names come
from outside, and shells expand what they complete: only those of plain characters are offered, the others by their id.
"""

from __future__ import annotations

import re
import sys

from contract import paths
from contract.paths import MAIN
from statusbar.model import reader
from statusbar.model.agents import has_ended
from statusbar.model.listing import Listed, listing
from statusbar.model.names import distinct_names
from statusbar.model.targets import CLIENT, GROUPS, PROJECT

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from statusbar.model.snapshot import Statuses

SHELLS = ("bash", "zsh", "fish")
TARGET = "TARGET"  # the metavar of every argument that is one
HARMLESS = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/@+-]*", re.ASCII)
ASK = "yourturn targets 2>/dev/null"
BASH = f"""
_yourturn_targets() {{
  local name
  while IFS= read -r name; do
    [[ $name == "$1"* ]] && printf '%s\\n' "$name"
  done < <({ASK})
}}
"""
ZSH = f"""
_yourturn_targets() {{
  local -a found
  found=(${{(f)"$({ASK})"}})
  compadd -a found
}}
"""
COMPLETE = {
    "bash": "_yourturn_targets",
    "zsh": "_yourturn_targets",
    "fish": f"({ASK})",
    "preamble": {"bash": BASH, "zsh": ZSH},
}
# bash splits a word at : and @, and replaces only what comes after the last colon, or from the last @ on.
BASH_GROUPS = """
_yourturn() {
  local -a words
  read -ra words <<< "${COMP_LINE:0:COMP_POINT}"
  [[ ${COMP_LINE:0:COMP_POINT} == *[[:space:]] ]] && words+=("")
  while [[ ${#words[@]} -gt 1 && ${words[0]} != "${COMP_WORDS[0]}" ]]; do words=("${words[@]:1}"); done
  local -a COMP_WORDS=("${words[@]}")
  local COMP_CWORD=$((${#words[@]} - 1))
  _shtab_yourturn
  local word=${words[COMP_CWORD]} breaks="" char
  for char in : @; do [[ $COMP_WORDBREAKS == *$char* ]] && breaks+=$char; done
  [[ -n $breaks && $word == *[$breaks]* ]] || return 0
  local kept=${word%"${word##*[$breaks]}"}
  kept=${kept%@}
  COMPREPLY=("${COMPREPLY[@]#"$kept"}")
}
complete -o bashdefault -F _yourturn yourturn
"""
# shtab lets zsh complete only the first of several targets.
ZSH_SEVERAL = '"(*)::', '"*:'


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    import shtab  # noqa: PLC0415 - slow to import, and only needed here

    for action in _actions(parser):
        if action.metavar == TARGET:
            action.complete = COMPLETE  # type: ignore[attr-defined]
    made = shtab.complete(parser, shell)
    return made + BASH_GROUPS if shell == "bash" else made.replace(*ZSH_SEVERAL) if shell == "zsh" else made


def run(_args: argparse.Namespace) -> int:
    """`yourturn targets`: waits for nothing and starts nothing, because somebody has pressed a key."""
    sys.stdout.write("".join(f"{word}\n" for word in words(reader.read(paths.home(), evidence=False, hosts=True))))
    return 0


def words(statuses: Statuses) -> list[str]:
    """The groups, then sessions by their names and agents by their ids, each once."""
    listed = [one for one in listing(statuses) if not has_ended(one.agent)]
    projects = [f"{PROJECT}{one.project}" for one in listed if HARMLESS.fullmatch(one.project)]
    names = distinct_names({one.session.session_id: one.session for one in listed}.values())
    targets = (_word(one, names[one.session.session_id]) for one in listed)
    clients = [f"{CLIENT}{one.session.client}" for one in listed if HARMLESS.fullmatch(one.session.client)]
    return list(dict.fromkeys((*GROUPS, *projects, *clients, *filter(HARMLESS.fullmatch, targets))))


def _word(one: Listed, name: str) -> str:
    """A name that two sessions share has a blank in it by now, so it is not harmless."""
    return name if one.agent.key == MAIN and HARMLESS.fullmatch(name) else one.id


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:  # noqa: SLF001 - argparse has no other way, and shtab goes the same
        yield action
        for below in action.choices.values() if isinstance(action.choices, dict) else ():
            yield from _actions(below)
