"""The menu of tray and menubar as a value, and what choosing an item does."""
