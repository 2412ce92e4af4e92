"""Files of `deploy/`, tried with the programs that they configure."""
