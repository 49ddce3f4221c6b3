"""The two kinds of lines in observations.jsonl that a day is drawn from: how each session stands, and who watched.

`session`: `to` is the light of the session from this moment on, or `gone`; `running` is how many of its agents are at
work. The first line about a session in a file, and each line with which one of them changes, also has `name`, `cwd`,
`hidden`, and `since`, when the light came on.

`watching`: between `since` and the time of the line nobody watched. `by` is `start` for a watcher that begins (what it
finds it tells anew; `rested` says that its predecessor had nobody left to watch), `lapse` for one that goes on after
its machine slept, its clock was set or it was stopped, and `file` for one that goes on in a new file: it tells all
sessions anew there, because the file before it will be dropped.

Older versions wrote neither. Whoever reads the file leaves out kinds that it does not know.
"""

from __future__ import annotations

SESSION, WATCHING = "session", "watching"
HOST, REACHED, OUT_OF_REACH = "host", "reached", "out_of_reach"  # of other machines, in a file of their own
GONE = "gone"
START, LAPSE, FILE = "start", "lapse", "file"
