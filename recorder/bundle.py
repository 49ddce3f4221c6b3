"""All modules that a hook usually needs, compiled into one file: the place of the bytecode of `packed.py`.

The file says which sources it was made from; `hook.py` uses it only while none of them has changed. It is written by
the first hook that finds none, and lost without harm.
"""

from __future__ import annotations

import marshal
import posix
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from recorder.unpack import Content

PACKAGES = ("contract", "recorder")
# Each after those that it imports.
MODULES = (
    "contract", "contract.paths", "contract.wire", "contract.facts", "contract.store", "contract.clean",
    "contract.harmless", "contract.mask", "recorder", "recorder.calls", "recorder.changes", "recorder.receive",
    "recorder.serve",
)  # fmt: skip
UNPACK = "recorder.unpack"
# Those that the modules above import.
EXTENSIONS = ("_json", "fcntl")


def pack(here: str, bundle: str) -> None:
    """Where it may not be written, Python's own way is good enough."""
    beside = f"{bundle}.{posix.getpid()}"
    try:
        fd = posix.open(beside, posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_CLOEXEC, 0o644)
    except OSError:
        return
    try:
        data = marshal.dumps(content(here))
        is_whole = posix.write(fd, data) == len(data)
        posix.close(fd)
        if is_whole:
            posix.rename(beside, bundle)
            return
    except OSError:
        pass
    posix.unlink(beside)


def content(here: str) -> tuple[str, Any, Content]:
    """The Python that made it, the code that unpacks it, and what that needs: see `recorder.unpack`."""
    sources, modules = [], []
    for name in (UNPACK, *MODULES):
        folder = f"{here}/{name}" if name in PACKAGES else ""
        path = f"{folder}/__init__.py" if folder else f"{here}/{name.replace('.', '/')}.py"
        found = posix.stat(path)  # before it is read: what changes in between must look changed
        sources.append((path, found.st_mtime_ns, found.st_size))
        modules.append((name, folder, _code(name, path)))
    (_, _, unpack), *rest = modules
    return sys.version, unpack, (sources, _extensions(), rest)


def _code(name: str, path: str) -> Any:
    """Without docstrings: nobody reads them, and every hook would."""
    __import__(name)
    loader: Any = sys.modules[name].__loader__
    return compile(loader.get_data(path), path, "exec", dont_inherit=True, optimize=2)


def _extensions() -> list[tuple[str, str]]:
    """Where each lies, unless it is part of the interpreter itself."""
    found = [(name, getattr(sys.modules.get(name), "__file__", None)) for name in EXTENSIONS]
    return [(name, path) for name, path in found if path]
