"""Batch replay: real conversations run again, to know what a change changes."""
