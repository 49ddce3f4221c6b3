"""Each client's own files and processes: one package a client, with the same names inside."""
