"""One file for each terminal, with the same names inside.

`NAME`, what it is called; `is_home(where)`, whether an agent lives in it; `steps(where)`, the commands that bring it to
the front, or `Cannot` with the reason; `LIMIT`, what even then is left to a person.
"""
