"""Live replays, decisions by measurement, and candidates beside what is served."""
