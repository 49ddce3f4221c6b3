"""The bars and prompts that can show one line of ours, and what to tell each of them once."""

from __future__ import annotations

FOLLOWING = ("plain", "polybar", "swiftbar", "waybar")

SETUP = {
    "plain": "yourturn line --follow",
    "polybar": """\
[module/yourturn]
type = custom/script
exec = yourturn line --for polybar --follow
tail = true""",
    "sketchybar": """\
sketchybar --add item yourturn right --set yourturn update_freq=2 \\
  script='sketchybar --set "$NAME" label="$(yourturn line --for sketchybar)"'""",
    "starship": """\
[custom.yourturn]
command = "yourturn line --for starship"
when = true""",
    "swiftbar": """\
#!/bin/sh
# <swiftbar.type>streamable</swiftbar.type>
exec yourturn line --for swiftbar --follow""",
    "tmux": """\
set -g status-right "#(yourturn line --for tmux)"
set -g status-interval 2""",
    "waybar": """\
"custom/yourturn": { "exec": "yourturn line --for waybar --follow", "return-type": "json" }""",
    "xbar": """\
#!/bin/sh
exec yourturn line --for xbar    # in a file named yourturn.5s.sh""",
}


def guide() -> str:
    parts = []
    for host, words in SETUP.items():
        parts.append("\n".join([f"{host}:", *(f"    {line}" for line in words.splitlines())]))
    return "what to put into the configuration of\n\n" + "\n\n".join(parts)
