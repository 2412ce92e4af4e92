"""Schedules: messages that are said to the agent at certain times."""
