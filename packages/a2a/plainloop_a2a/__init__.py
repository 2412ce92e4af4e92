"""A2A 1.0 at `/a2a`: runs as tasks and threads as contexts, for agents that call agents."""
