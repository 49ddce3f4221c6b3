"""What each client tells its hook, for a measurement: one file each, with the same names inside.

`payload(number)` is what it tells when its next call begins; the first is a prompt.
"""

SESSION = "9df7420c-3c33-4845-8b68-60c055e751a8"
PLACE = {"session_id": SESSION, "cwd": "/home/me/proj", "transcript_path": f"/home/me/{SESSION}.jsonl"}
MOMENT = {"timestamp": "2026-11-16T09:16:42.554Z"}
