"""The law: from evidence to a verdict. Pure."""
