"""What is cached for a process, and how much of it."""
