"""`NamedTuple` as `typing` has it, for what a command imports before it can begin.

To import `typing`, and to have it compile the annotation of each field, would take a tenth of `yourturn ps`.
"""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
    from typing import NamedTuple as NamedTuple  # noqa: PLC0414 - handed on
else:

    class _Kind(type):
        """Makes a plain named tuple of a class whose annotations are its fields. mypy sees that defaults come last."""

        def __new__(cls, name: str, _bases: tuple[type, ...], body: dict[str, Any]) -> type:
            fields = body["__annotations__"]
            defaults = [body[field] for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])  # noqa: PYI024 - see above
            for key in body.keys() - fields.keys():
                setattr(made, key, body[key])
            return made

    NamedTuple = type.__new__(_Kind, "NamedTuple", (), {})
