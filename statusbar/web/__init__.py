"""`yourturn web`: the board as a page, for a phone or a second screen. It is read, and nothing is done through it."""
