"""From status files to the board that every front end draws."""
