"""All modules that a hook of one client usually needs, compiled into one file: the bytecode of `packed_<client>.py`.

The file says which sources it was made from; it is used only while none of them has changed. It is written by the
first hook that finds none, and lost without harm.
"""

from __future__ import annotations

import _ast
import marshal
import posix
import sys

from recorder.clients import CLIENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from recorder.unpack import Content

PACKAGES = ("contract", "contract.clients", "recorder", "recorder.clients")
ROOMS = ("contract", "recorder")  # the first imports nothing of the second
# Each after those that it imports; the client's own comes last.
MODULES = (
    "contract", "contract.paths", "contract.wire", "contract.facts", "contract.store", "contract.clean",
    "contract.harmless", "contract.mask", "contract.clients", "recorder", "recorder.change", "recorder.calls",
    "recorder.changes", "recorder.clients", "recorder.receive", "recorder.serve",
)  # fmt: skip
UNPACK = "recorder.unpack"
# Those that the modules above import.
EXTENSIONS = ("_json", "fcntl")
HERE = __file__.rpartition("/recorder/")[0]


def place(client: str) -> str:
    """Where `hook.py` looks for it."""
    return f"{HERE}/recorder/__pycache__/packed_{client}.{sys.implementation.cache_tag}.pyc"


def pack(client: str) -> None:
    """Where it may not be written, Python's own way is good enough."""
    if client not in CLIENTS:
        return
    bundle = place(client)
    beside = f"{bundle}.{posix.getpid()}"
    try:
        fd = posix.open(beside, posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_CLOEXEC, 0o644)
    except OSError:
        return
    try:
        data = b"".join(parts(client))
        is_whole = posix.write(fd, data) == len(data)
        posix.close(fd)
        if is_whole:
            posix.rename(beside, bundle)
            return
    except OSError:
        pass
    posix.unlink(beside)


def parts(client: str) -> list[bytes]:
    """The code that unpacks it with what that must know, see `recorder.unpack`; then the modules of each room."""
    sources, modules = [], []
    for name in (UNPACK, *MODULES, CLIENTS[client]):
        base = f"/{name.replace('.', '/')}"
        file = f"{base}/__init__.py" if name in PACKAGES else f"{base}.py"
        found = posix.stat(HERE + file)  # before it is read: what changes in between must look changed
        sources.append((file, found.st_mtime_ns, found.st_size))
        modules.append((name, HERE + base if name in PACKAGES else "", _code(name, HERE + file)))
    (_, _, unpack), *modules = modules
    rooms = [marshal.dumps([module for module in modules if module[0].startswith(room)]) for room in ROOMS]
    content: Content = sys.version, HERE, sources, _extensions(), [len(room) for room in rooms]
    return [marshal.dumps((unpack, content)), *rooms]


def _code(name: str, path: str) -> Any:
    """Without docstrings and all that is for type checkers: nobody reads them, and every hook would."""
    __import__(name)
    loader: Any = sys.modules[name].__loader__
    tree: Any = compile(loader.get_data(path), path, "exec", _ast.PyCF_ONLY_AST, dont_inherit=True)
    _strip(tree)
    return compile(tree, path, "exec", dont_inherit=True, optimize=2)


def _strip(node: Any) -> None:
    """By hand: the module `ast` would take as long to import as a whole hook takes.

    Of a node's position the line is kept, because errors are noted with it. Nobody is told the columns, which would be
    a tenth of the bundle.
    """
    if hasattr(node, "lineno"):
        node.end_lineno, node.col_offset, node.end_col_offset = node.lineno, -1, -1
    for name in node._fields:
        value = getattr(node, name)
        if name in ("annotation", "returns"):
            setattr(node, name, None)
        elif isinstance(value, list):
            setattr(node, name, [_stripped(one) for one in value])
        elif isinstance(value, _ast.AST):
            _strip(value)


def _stripped(node: Any) -> Any:
    where = {name: getattr(node, name) for name in getattr(node, "_attributes", ())}
    if isinstance(node, _ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
        return _ast.Pass(**where)
    if isinstance(node, _ast.ImportFrom) and node.module == "__future__":
        return _ast.Pass(**where)
    if isinstance(node, _ast.AnnAssign):
        node = _ast.Assign([node.target], node.value, **where) if node.value else _ast.Pass(**where)
    if isinstance(node, _ast.AST):
        _strip(node)
    return node


def _extensions() -> list[tuple[str, str]]:
    """Where each lies, unless it is part of the interpreter itself."""
    found = [(name, getattr(sys.modules.get(name), "__file__", None)) for name in EXTENSIONS]
    return [(name, path) for name, path in found if path]
