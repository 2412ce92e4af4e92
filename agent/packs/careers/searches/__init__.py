"""Search providers, one module per wire format; all answers come to one shape."""
