"""The wire server: a brain behind the real formats of the providers, on loopback.

Strict as the real APIs are, so that what passes here has a chance there; it can be told to be
slow, to fail and to break off, and it remembers every request (`app`, `serving`, `faults`,
`script`).
"""
