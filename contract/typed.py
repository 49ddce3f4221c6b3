"""How yourturn is called here: what a hint names must work as it is typed."""

from __future__ import annotations

import os
import shlex
import sys

from contract import launch, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

NAME = "yourturn"
CARRIED = "/yourturn-carried"  # the folder that a copy from another machine is in, see `fleet.remote_script`


def command(words: str = "", *, anywhere: bool = False) -> str:
    """Our command with these words. For a menu or a file `anywhere`: it is typed in another folder than this one."""
    found = called(sys.argv[0] if sys.argv else "", sys.executable, _is_program)
    on_path = first(os.environ.get("PATH", os.defpath), _is_program)
    is_named = bool(found and on_path) and os.path.realpath(found) == os.path.realpath(on_path)
    return f"{said(found, sys.executable, is_named=is_named, anywhere=anywhere)} {words}".rstrip()


def called(argv0: str, interpreter: str, is_program: Callable[[str], bool]) -> str:
    """The program that starts us: as it was typed, else the one beside the interpreter; '' if there is none."""
    beside = f"{os.path.dirname(interpreter)}/{NAME}"
    typed = [argv0] if os.path.basename(argv0) == NAME and "/" in argv0 else []
    if argv0 == f"{launch.PROJECT}/{NAME}.py" and launch.PROJECT.endswith(CARRIED):
        beside = launcher(paths.user_home(os.environ))  # beside the interpreter may be another copy
    return next((path for path in (*typed, beside) if is_program(path)), "")


def launcher(home: str) -> str:
    """How a copy from another machine is called."""
    return f"{home}/.local/bin/{NAME}"


def first(search: str, is_program: Callable[[str], bool]) -> str:
    """What a shell finds under our name; '' if nothing. `shutil.which` would cost more than all the rest."""
    places = (f"{folder or '.'}/{NAME}" for folder in search.split(os.pathsep))
    return next((path for path in places if is_program(path)), "")


def said(found: str, interpreter: str, *, is_named: bool, anywhere: bool) -> str:
    """The shortest way to call us: by name, by path, or by the script itself."""
    if is_named:
        return NAME
    if not found:
        return shlex.join((interpreter, launch.FRONT_DOOR))
    return shlex.quote(os.path.abspath(found) if anywhere else found)


def _is_program(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)
