"""How far apart the sources tell of one moment."""

from __future__ import annotations

LAG_S = 2.0  # the registry's file is at most this far behind the hooks, on a busy machine too
MOMENT_S = 0.3  # hooks and lines that tell of one moment; and no person answers a dialog sooner
SETTLE_S = 0.2  # the registry's own stamp and a hook's, of one moment
WRITTEN_S = 1.0  # so much later the transcript may tell of what the registry tells
