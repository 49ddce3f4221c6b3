"""Side-by-side measurements: ours next to what it is compared with, in one run, with the budget beside it."""
