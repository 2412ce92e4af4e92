"""Caches of a process, bounded in bytes."""
