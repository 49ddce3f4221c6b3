"""The menu of the tray icon and the menu bar icon as a value, and what choosing an item does."""
