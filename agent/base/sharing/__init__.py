"""Fair sharing between users of what a process has once: connections, the event loop."""
