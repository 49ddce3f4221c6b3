"""The room that decides: facts, transcripts, registry and processes become a status."""
