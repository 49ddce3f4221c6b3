"""The room that draws: it reads status files and writes no state."""
