"""Webhooks: what happened is told to addresses of other programs."""
