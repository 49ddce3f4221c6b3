"""The person's settings in config.toml."""
