"""Installs and uninstalls the hooks and the services, and checks that they work."""
