"""Takes what a hook needs out of the bundle. This code is kept there as well, so that `hook.py` is soon compiled.

No `from __future__`: what would be imported by it is put in place here.
"""

import _imp
import marshal
import posix
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Content = tuple[str, str, list[tuple[str, int, int]], list[tuple[str, str]], list[int]]

SERVES = "recorder.serve"
END = 2  # of a file, as `os.SEEK_END`


def unpack(fd: int, content: "Content") -> "Callable[[str], None]":
    """What serves an event, with all that it needs in place; ImportError if a source has changed since.

    The modules are read in parts, each into the memory that the part before has left: for all at once the kernel would
    have to find thirty pages more, which takes longer than to read them.
    """
    version, here, sources, extensions, sizes = content
    if version != sys.version:
        raise ImportError("of another Python")
    for file, written, size in sources:
        found = posix.stat(here + file)
        if found.st_mtime_ns != written or found.st_size != size:
            raise ImportError(file)
    future = sys.modules["__future__"] = type(sys)("__future__")
    future.annotations = None  # type: ignore[attr-defined]  # the real one is read from disk, and nobody looks into it
    try:
        for name, path in extensions:
            load_extension(name, path)
        posix.lseek(fd, -sum(sizes), END)
        for size in sizes:
            for name, folder, code in marshal.loads(posix.read(fd, size)):  # noqa: S302 - as all bytecode
                load(name, folder, code)
        posix.close(fd)
    except Exception:
        for name in [name for name in sys.modules if name.startswith(("contract", "recorder"))]:
            del sys.modules[name]
        raise
    return sys.modules[SERVES].serve  # type: ignore[no-any-return]


def load_extension(name: str, path: str) -> None:
    """What Python does once it has found it. To find it, it would list all folders with modules."""
    make: Any = type(sys.implementation)  # a plain namespace
    module = _imp.create_dynamic(make(name=name, origin=path))
    _imp.exec_dynamic(module)
    sys.modules[name] = module


def load(name: str, folder: str, code: "Any") -> None:
    module = sys.modules[name] = type(sys)(name)
    parent, _, child = name.rpartition(".")
    if folder:
        module.__path__ = [folder]
    if parent:
        setattr(sys.modules[parent], child, module)
    exec(code, module.__dict__)  # noqa: S102 - our own, as all bytecode
