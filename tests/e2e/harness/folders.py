"""Where a client of a test lives."""

from __future__ import annotations

import itertools
import os
import random
import shutil
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

NUMBERS = 100_000


@contextmanager
def temporary_folder() -> Iterator[str]:
    """A short path without links: sockets lie below it, and the client names its project by the real one.

    It stands in the commands of the tests, so it is a word and a number: of anything that could be a secret we would
    keep nothing.
    """
    parent = os.path.realpath(tempfile.gettempdir())
    for number in itertools.islice(iter(lambda: random.randrange(NUMBERS), None), NUMBERS):  # noqa: S311 - no secret
        path = f"{parent}/yourturn-{number}"
        try:
            os.mkdir(path, 0o700)
        except FileExistsError:
            continue
        break
    else:
        raise FileExistsError(f"{parent}/yourturn-*: every number is taken")
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
