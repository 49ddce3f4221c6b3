"""How far apart the sources tell of one moment, and how long the client takes for the next step."""

from __future__ import annotations

LAG_S = 2.0  # the registry's file is at most this far behind the hooks, on a busy machine too
MOMENT_S = 0.3  # hooks and lines that tell of one moment; and no person answers a dialog sooner
SETTLE_S = 0.2  # the registry's own stamp and a hook's, of one moment
WRITTEN_S = 1.0  # so much later the transcript may tell of what the registry tells
HOOK_S = 1.0  # how long the hook may take that tells of what the registry or the transcript tells
QUEUE_S = 3.0  # how long a queued prompt, or the news of an agent's end, may take to begin a turn
REST_S = 1.0  # the same after the registry said that the process has nothing to do
READY_S = 30.0  # how long a client may take from its start to its first prompt, on a busy machine
