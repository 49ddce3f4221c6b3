"""Files that grow or change: facts, transcripts line by line, and the events that tell of a change."""
