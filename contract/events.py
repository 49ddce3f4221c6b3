"""The events of the client that the hook listens to."""

# Whether the client goes on without waiting for the hook. It may where order does not matter: the end of a call is
# told by its id, and a notification is late anyway. It may not where a later event builds on this one (a prompt
# before its Stop, a PreToolUse before its PermissionRequest) or where the client may be gone before the hook is
# (Stop of `-p`, SessionEnd).
EVENTS = {
    "SessionStart": False,
    "UserPromptSubmit": False,
    "PreToolUse": False,
    "PermissionRequest": False,
    "PermissionDenied": True,
    "PostToolUse": True,
    "PostToolUseFailure": True,
    "PostToolBatch": True,
    "Notification": True,
    "Elicitation": False,
    "ElicitationResult": False,
    "SubagentStart": False,
    "SubagentStop": False,
    "Stop": False,
    "StopFailure": False,
    "TeammateIdle": False,
    "PreCompact": False,
    "PostCompact": False,
    "SessionEnd": False,
}
