"""Shortens what models read: rare tools as lines, cut histories, reviews of changes only."""
