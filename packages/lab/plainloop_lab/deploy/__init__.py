"""A deploy is judged before it serves: it replays what was said, and must do the same."""
