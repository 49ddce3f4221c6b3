"""From status files to a board: what every front end draws."""
