"""A deploy is judged before it serves."""
