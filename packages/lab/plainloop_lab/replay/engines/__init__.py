"""What spreads the shards of a recorded replay over processes and hosts.

An engine is a context manager, opened with an address and a number of processes, that gives a
`Run`. Each is a file of this folder; the packages of all but `local` are optional.
"""
