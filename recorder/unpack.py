"""Takes what a hook needs out of the bundle. This code is kept there as well, so that `hook.py` is soon compiled.

No `from __future__`: what would be imported by it is put in place here.
"""

import _imp
import posix
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Content = tuple[list[tuple[str, int, int]], list[tuple[str, str]], list[tuple[str, str, Any]]]


def unpack(content: "Content") -> bool:
    """Whether all of it is in place; not if a source has changed since."""
    sources, extensions, modules = content
    for path, *seen in sources:
        found = posix.stat(path)
        if [found.st_mtime_ns, found.st_size] != seen:
            return False
    future = sys.modules["__future__"] = type(sys)("__future__")
    future.annotations = None  # type: ignore[attr-defined]  # the real one is read from disk, and nobody looks into it
    try:
        for name, path in extensions:
            load_extension(name, path)
        for name, folder, code in modules:
            load(name, folder, code)
    except Exception:
        for name in [name for name in sys.modules if name.startswith(("contract", "recorder"))]:
            del sys.modules[name]
        raise
    return True


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
