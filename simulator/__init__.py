"""A small model of the client that plays random programs, and a checker that asks whether every light is right."""
