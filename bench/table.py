"""A table of measurements, each next to its budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bench import race

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bench.race import Taken


class Budget(NamedTuple):
    """What was measured and what it may be. Only a hard one that is missed fails the run."""

    measured: float
    limit: float
    unit: str = "x"
    hard: bool = True
    at_least: bool = False

    @property
    def is_kept(self) -> bool:
        return self.measured >= self.limit if self.at_least else self.measured <= self.limit

    def __str__(self) -> str:
        kind = "" if self.hard else "goal "
        sign = ">=" if self.at_least else "<="
        return f"{kind}{sign} {self.limit:g} {self.unit}: {'kept' if self.is_kept else 'MISSED'}"


class Row(NamedTuple):
    name: str
    cells: Sequence[str] = ()
    budgets: Sequence[Budget] = ()


class Table(NamedTuple):
    title: str
    columns: Sequence[str]
    rows: Sequence[Row]
    notes: Sequence[str] = ()

    def __str__(self) -> str:
        body = [(row.name, *row.cells, *[""] * (len(self.columns) - len(row.cells))) for row in self.rows]
        lines = [("", *self.columns), *body]
        widths = [max(len(line[k]) for line in lines) for k in range(len(self.columns) + 1)]
        drawn = [_line(line, widths) for line in lines]
        told = ["budget", *(", ".join(map(str, row.budgets)) for row in self.rows)]
        whole = [f"  {line}   {words}".rstrip() for line, words in zip(drawn, told, strict=True)]
        return "\n".join([self.title, *whole, *(f"  {note}" for note in self.notes)])


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    name, *rest = (cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
    return "  ".join([name.strip().ljust(widths[0]), *rest])


def show(tables: Iterable[Table]) -> int:
    """Print each as it comes; the exit code."""
    missed: list[str] = []
    for table in tables:
        print(table, flush=True)
        print(flush=True)
        missed += [row.name for row in table.rows for budget in row.budgets if budget.hard and not budget.is_kept]
    for name in missed:
        print(f"A budget is missed: {name}")
    return 1 if missed else 0


def ms(value: float) -> str:
    return f"{value:.2f} ms"


def times(value: float) -> str:
    return f"{value:.2f} x"


def taken_row(name: str, many: Sequence[Taken], base: float) -> Row:
    """Of a process: median, p95, CPU, and its median next to another one."""
    wall, cpu = [one.wall for one in many], [one.cpu for one in many]
    middle = race.median(wall)
    return Row(name, (ms(middle), ms(race.p95(wall)), ms(race.median(cpu)), times(middle / base)))
