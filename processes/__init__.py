"""The process table: which processes run, which are coding agents, and whose children they are."""
