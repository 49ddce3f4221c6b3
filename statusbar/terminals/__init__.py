"""One file for each terminal, with the same names inside.

`NAME` is its name; `is_home(where)` says whether the agent runs in it; `steps(where)` has the commands that bring it to
the front, or raises `Cannot` with the reason; `LIMIT` says what the person still has to do.
"""
