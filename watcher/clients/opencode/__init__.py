"""OpenCode: our plugin in it tells all."""
