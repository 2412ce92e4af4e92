"""Recorded replay: real conversations run again by today's code, without a token.

Asking another model the same things is plainloop-lab's (docs/decisions/15-packages.md).
"""
