"""JSON for the hook's hot path.

The `json` package costs as much as Python's own start, because it pulls in `re` and `enum`. Its C halves are
used directly here; where an interpreter does not have them, the package itself does the work.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SPACE = " \t\n\r\ufeff"


def decode(data: bytes) -> Any:
    """Decode one JSON value, or raise ValueError. Bytes that are not UTF-8 become replacement characters."""
    text = data.decode("utf-8", "replace").strip(SPACE)
    try:
        value, end = _scan(text, 0)
    except (StopIteration, SystemError):
        # The latter where `json.decoder`, whose exception the scanner would raise, has not been imported.
        raise ValueError("not JSON") from None
    except (ValueError, RecursionError):  # a number of thousands of digits, or lists in lists in lists
        from contract import odd_json  # noqa: PLC0415 - no client means it

        return odd_json.decode(text)
    if end != len(text):
        raise ValueError("more than one JSON value")
    return value


def encode(value: Any) -> bytes:
    """Encode as ASCII on one line, keys in the order given; a record of `contract.facts` as what it dumps."""
    return "".join(_chunks(value, 0)).encode("ascii")


def canonical(value: Any) -> bytes:
    """Encode with sorted keys: equal values give equal bytes. What is nested too deeply counts as equal."""
    try:
        return "".join(_sorted_chunks(value, 0)).encode("ascii")
    except RecursionError:
        return b""


def _dumped(value: Any) -> Any:
    if not hasattr(value, "dump"):
        raise TypeError(f"{type(value).__name__} is not JSON")
    return value.dump()


class _Reading:
    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    array_hook = None
    memo: dict[str, str] = {}  # noqa: RUF012 - the scanner wants the attribute, nobody writes to it


try:
    from _json import encode_basestring_ascii, make_encoder, make_scanner

    _scan = make_scanner(_Reading)  # type: ignore[arg-type]
    _chunks = make_encoder(None, _dumped, encode_basestring_ascii, None, ":", ",", False, False, True)
    _sorted_chunks = make_encoder(None, _dumped, encode_basestring_ascii, None, ":", ",", True, False, True)
except (ImportError, AttributeError, TypeError):  # pragma: no cover - another interpreter
    from json import JSONDecoder, JSONEncoder

    _scan = JSONDecoder(strict=False).scan_once  # type: ignore[attr-defined]

    def _chunks(value: Any, _level: int) -> Any:  # type: ignore[misc]
        return JSONEncoder(default=_dumped, separators=(",", ":")).encode(value)

    def _sorted_chunks(value: Any, _level: int) -> Any:  # type: ignore[misc]
        return JSONEncoder(default=_dumped, separators=(",", ":"), sort_keys=True).encode(value)
