"""Other machines: brings the statuses of their agents here, in files like our own, and shares ours if told to."""
