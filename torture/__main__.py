"""`python -m torture`: attacks on hook and watcher; exit 1 if something was lost or an attack did not hit."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
import traceback
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import psutil

from torture import report
from torture.attacks import ATTACKS
from torture.dose import Dose
from torture.result import MissingError, Result, Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from torture.attacks import Attack

INTERRUPTED = 130
MEMORY = "/dev/shm"  # noqa: S108 - a folder of our own is made in it
NEW_LINE = "\r\033[K"


def main(argv: list[str] | None = None) -> int:
    args = _arguments(argv)
    if sys.platform != "linux":
        print("torture: it needs Linux: strace, namespaces and /proc", file=sys.stderr)
        return 1
    results: list[Result] = []
    is_over = False
    try:
        with _folder() as folder, _no_child_left():
            for name in args.only or ATTACKS:
                dose = Dose(folder, args.dose == "long", args.seed, _say(name))
                results.append(_made(ATTACKS[name], dose))
        is_over = True
    except KeyboardInterrupt:  # what has been found until then is worth telling
        print("\ntorture: interrupted; this was found until then:", file=sys.stderr)
    _tell(results, args)
    return (0 if all(one.is_good for one in results) else 1) if is_over else INTERRUPTED


def _arguments(argv: list[str] | None) -> argparse.Namespace:
    listed = "\n".join(f"  {one.name:<10} {one.what}" for one in ATTACKS.values())
    parser = argparse.ArgumentParser(
        prog="torture",
        description=__doc__,
        epilog=f"attacks:\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--dose", choices=("short", "long"), default="long", help="long takes minutes")
    parser.add_argument(
        "--only", action="append", choices=list(ATTACKS), metavar="NAME", help="this attack; repeatable"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of what is chosen by chance")
    parser.add_argument("--json", action="store_true", help="for scripts")
    return parser.parse_args(argv)


def _folder() -> tempfile.TemporaryDirectory[str]:
    """Gone at the end, with all that is in it. Without links in its path, because paths are compared."""
    parent = MEMORY if os.access(MEMORY, os.W_OK) else os.path.realpath(tempfile.gettempdir())
    name = f"yourturn-torture-{os.getpid()}-"
    made = tempfile.TemporaryDirectory(prefix=name, dir=parent, ignore_cleanup_errors=True)
    os.chmod(made.name, 0o755)  # noqa: S103 - some attacks are made as another user
    return made


@contextmanager
def _no_child_left() -> Iterator[None]:
    """An interruption in the moment of a start leaves a process that nobody knows, and that writes into our folder."""
    before = _children()
    try:
        yield
    finally:
        ours = _children() - before
        for one in ours:
            with suppress(psutil.NoSuchProcess):
                one.kill()
        psutil.wait_procs(ours)


def _children() -> set[psutil.Process]:
    return set(psutil.Process().children(recursive=True))


def _made(attack: Attack, dose: Dose) -> Result:
    """An attack that falls over has not shown anything."""
    began = time.monotonic()
    try:
        found = attack.run(dose)
    except MissingError as error:
        found = Result(attack.name, missing=str(error))
    except Exception:  # the wall between attacks
        found = Result(attack.name, (Tally("the attack itself fell over", 1, 0, (traceback.format_exc(),)),))
    if found.missing:
        print(f"{NEW_LINE}torture: {attack.name} is NOT TRIED, missing here: {found.missing}", file=sys.stderr)
    return found._replace(seconds=time.monotonic() - began)


def _say(name: str) -> Callable[[str], None]:
    """Progress, for who looks at it."""

    def say(words: str) -> None:
        if sys.stderr.isatty():
            print(f"{NEW_LINE}{name}: {words}", end="", file=sys.stderr, flush=True)

    return say


def _tell(results: list[Result], args: argparse.Namespace) -> None:
    if sys.stderr.isatty():
        print(NEW_LINE, end="", file=sys.stderr)
    if args.json:
        print(report.as_json(results, seed=args.seed, dose=args.dose))
        return
    print(report.table(results))
    for words in report.troubles(results):
        print(words)


if __name__ == "__main__":
    sys.exit(main())
