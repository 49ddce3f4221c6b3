"""A lead and its teammates, across sessions."""
