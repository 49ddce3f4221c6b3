"""What several rooms must know of a client: one file each. What only one room must know is in that room."""
