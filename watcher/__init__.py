"""Decides: facts, transcripts, registries and processes become a status."""
