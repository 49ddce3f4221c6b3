"""How strong a piece of evidence is: the order in which one gives way to another.

A source that tells of the present wins over what was told of an earlier moment; an inference only fills silence. It
never overrules what a source says of the present, and is given up as soon as one does.
"""

from __future__ import annotations

from typing import Final, Literal

Kind = Literal["told now", "told then", "inferred"]

NOW: Final = "told now"  # a present state that its source keeps up to date: the registry of a living process, a process
THEN: Final = "told then"  # an event: a hook, a line of a transcript
INFERRED: Final = "inferred"  # a guess from the others
