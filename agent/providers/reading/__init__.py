"""Reads a model's answer of any wire format: separates thoughts, corrects calls, checks its end."""
