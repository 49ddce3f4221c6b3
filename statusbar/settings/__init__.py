"""What people may choose, and config.toml."""
