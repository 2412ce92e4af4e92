"""Expected answers: scorers that need no model, and scores that models give."""
