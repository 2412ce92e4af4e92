"""What spreads a recorded replay over hosts; each engine's own package is optional."""
