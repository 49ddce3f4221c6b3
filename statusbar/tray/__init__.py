"""`yourturn tray`: the icon in the panel of a Linux desktop."""
