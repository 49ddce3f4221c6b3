"""Measures what yourturn costs, side by side with what it is compared with, and ends with one table."""

from __future__ import annotations

import argparse
import signal
import sys
import time

from bench import compare, dose, report, results, suite
from bench.paint import red
from bench.progress import Progress
from contract.clients import CLIENTS

EPILOG = """`python -m bench compare A.json B.json` shows two runs side by side.
Exit codes: 0 done, 1 a budget is missed or something could not be measured, 2 wrong usage, 130 interrupted."""


CLIENT = "instead, one hook of these clients against that of Claude Code: names with commas between"


def main(argv: list[str]) -> int:
    if argv[:1] == ["compare"]:
        return compare.main(argv[1:])
    parser = _parser()
    args = parser.parse_args(argv)
    unknown = [name for name in args.names if name not in suite.PARTS]
    if unknown:
        parser.error(f"no benchmark is called {', '.join(unknown)}; there are: {', '.join(suite.PARTS)}")
    if args.list:
        print("\n".join(f"{name:<10} {words}" for name, words in suite.PARTS.items()))
        return 0
    return _imports() if args.imports else _run(args)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench", description=__doc__, epilog=EPILOG, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="what to measure (default: everything)")
    parser.add_argument("--list", action="store_true", help="what there is to measure")
    parser.add_argument("--quick", action="store_true", help="a tenth of it, without the largest sizes")
    parser.add_argument("--json", metavar="FILE", help="write the results to this file as well")
    parser.add_argument("--client", type=_clients, default=(), metavar="NAMES", help=CLIENT)
    parser.add_argument("--imports", action="store_true", help="tell instead where the time of one hook goes")
    return parser


def _clients(words: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in words.split(","))
    unknown = [name for name in names if name not in CLIENTS]
    if unknown:
        raise argparse.ArgumentTypeError(f"no client {', '.join(unknown)}; there are {', '.join(CLIENTS)}")
    return names


def _imports() -> int:
    from bench import hook  # noqa: PLC0415 - the others do without

    print("\n".join(hook.where_it_goes()))
    return 0


def _run(args: argparse.Namespace) -> int:
    names = ["clients"] if args.client else args.names or list(suite.PARTS)
    if args.json and not _can_write(args.json):
        return 1
    about = results.about(time.time(), quick=args.quick)
    found = suite.Found([], [], [])
    try:
        chosen = (dose.QUICK if args.quick else dose.WHOLE)._replace(clients=args.client)
        suite.run(names, chosen, Progress(len(names)), found)
    except KeyboardInterrupt:
        _show(about, found)
        print("interrupted: not everything was measured", file=sys.stderr)
        return 130
    _show(about, found)
    if args.json:
        results.save(args.json, results.Results(about, found.figures, found.missing))
    return int(found.failed)


def _show(about: dict[str, object], found: suite.Found) -> None:
    print(results.title(about))
    print("\n".join(report.lines(found.figures, found.missing)))
    for line in found.broken:
        print(red(f"COULD NOT BE MEASURED: {line}"))


def _can_write(path: str) -> bool:
    """Asked before minutes are spent on what could not be kept."""
    try:
        with open(path, "a", encoding="utf-8"):
            return True
    except OSError as error:
        print(f"bench: {path} could not be written: {error.strerror}", file=sys.stderr)
        return False


if __name__ == "__main__":
    # Whoever is told to end takes along what it has started.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main(sys.argv[1:]))
