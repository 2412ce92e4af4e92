"""The domains: one folder each, deletable without breaking what is above and below them."""
