"""Qwen Code: its hooks tell all."""
