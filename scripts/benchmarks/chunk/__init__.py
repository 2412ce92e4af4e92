"""The parts of `bench chunks`: the bytes, their server, and both readers of each."""
