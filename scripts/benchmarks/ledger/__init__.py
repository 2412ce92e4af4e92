"""A large ledger."""
