"""The names that the rules know: of tools, notifications, dialogs. They were Claude Code's first and are ours now.

A client that calls the same thing otherwise is translated to these, by its file in `recorder/clients` and its adapter.
"""

from __future__ import annotations

# tools
SHELL = "Bash"  # what it runs is a child process of the client
MESSAGE = "SendMessage"  # to a teammate
STARTS_AGENT = ("Agent", "Task")
QUESTION = "AskUserQuestion"
ALWAYS_ASK = {QUESTION: "question", "ExitPlanMode": "plan"}  # also where no permission is asked for
WORKFLOW = "workflow-subagent"  # the type of an agent that a workflow has started

# notifications
DIALOG_NOTES = ("agent_needs_input", "permission_prompt")
QUESTION_NOTE, ANSWER_NOTE = "elicitation_dialog", "elicitation_response"  # of a server

# what the registry says that a process waits for
PERMISSION, INPUT = "permission prompt", "input needed"

# how a client was started
HEADLESS = "sdk-cli"  # nobody can be asked
