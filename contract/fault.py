"""What went wrong, told without values: the text of an error may quote what a person or an agent wrote."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

PROJECT = __file__.rpartition("/contract/")[0]
ENDS = 12  # the frames that are told at either end of a long way
CAUSES = 3


def words(error: BaseException) -> str:
    """One line: the kind of the error, our own words on it, and where it was."""
    steps = _steps(error.__traceback__)
    where = f" ({steps[-1][0]})" if steps else ""
    said = _said(error)
    return f"{type(error).__name__}{': ' + said if said else ''}{where}"


def trace(error: BaseException) -> list[str]:
    """The way to it, the beginning first, and what it came from."""
    lines: list[str] = []
    current: BaseException | None = error
    for _ in range(CAUSES):
        if current is None:
            break
        if lines:
            lines.append("which came from")
        steps = [f"  {place} in {name}" for place, name in _steps(current.__traceback__)]
        if len(steps) > 2 * ENDS:
            steps[ENDS:-ENDS] = [f"  ... {len(steps) - 2 * ENDS} more"]
        lines += [*steps, words(current)]
        current = current.__cause__ or current.__context__
    return lines


def _steps(at: TracebackType | None) -> list[tuple[str, str]]:
    """File and line, and the function, of each step."""
    steps = []
    while at:
        code = at.tb_frame.f_code
        name = getattr(code, "co_qualname", code.co_name)  # from 3.11 on
        steps.append((f"{_short(code.co_filename)}:{at.tb_lineno}", name))
        at = at.tb_next
    return steps


def _short(path: str) -> str:
    """As the project names it; of a library only what does not tell where it is installed."""
    inside = path.removeprefix(PROJECT + "/")
    if inside != path and "/site-packages/" not in inside:
        return inside
    return "/".join(path.rpartition("/site-packages/")[2].split("/")[-3:])


def _said(error: BaseException) -> str:
    """The system's words, or ours: a text that stands as it is in the code that raised it. All others quote values."""
    if isinstance(error, OSError) and error.strerror:
        named = error.filename if isinstance(error.filename, str) else ""
        return f"{error.strerror}: {named}" if named else error.strerror
    said = error.args[0] if len(error.args) == 1 else ""
    at = error.__traceback__
    while at and at.tb_next:
        at = at.tb_next
    return said if at and isinstance(said, str) and said in at.tb_frame.f_code.co_consts else ""
