"""Users share what a process has one of, in turn."""
