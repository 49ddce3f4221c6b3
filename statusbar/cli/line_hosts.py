"""The bars and prompts that can show the line, and what to put into the configuration of each."""

from __future__ import annotations

NAME = "yourturn"
UNSAFE = set(" '\"\\#%")  # a part of the syntax of one host or another
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
    # tmux's default length would cut the line.
    "tmux": """\
set -g status-right "#(yourturn line --for tmux)"
set -g status-right-length 60
set -g status-interval 2""",
    "waybar": """\
"custom/yourturn": { "exec": "yourturn line --for waybar --follow", "return-type": "json" }""",
    "xbar": """\
#!/bin/sh
exec yourturn line --for xbar""",
}
WHERE = {
    "plain": "anything else that shows what a command prints",
    "polybar": "~/.config/polybar/config.ini, and yourturn among the modules",
    "sketchybar": "~/.config/sketchybar/sketchybarrc",
    "starship": "~/.config/starship.toml",
    "swiftbar": "an executable file yourturn.sh in its plugin folder",
    "tmux": "~/.tmux.conf",
    "waybar": "~/.config/waybar/config, and custom/yourturn among the modules",
    "xbar": "an executable file yourturn.5s.sh in its plugin folder",
}


def guide(command: str) -> str:
    """`command` is how we are called from anywhere."""
    return f"How to set up each host. If yourturn is not on its PATH, write the full path.\n\n{recipes(command)}"


def recipes(command: str = NAME) -> str:
    """One that has to be quoted cannot stand in all of them, so there the name stays."""
    called = command if command.isascii() and not UNSAFE & set(command) else NAME
    parts = []
    for host, words in SETUP.items():
        lines = words.replace(f"{NAME} line", f"{called} line").splitlines()
        parts.append("\n".join([f"{host}: {WHERE[host]}", *(f"    {line}" for line in lines)]))
    return "\n\n".join(parts)
