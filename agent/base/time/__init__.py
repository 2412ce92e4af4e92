"""Periods of days, and time limits for work."""
