"""Rules that answer without a model: counts, lists and look-ups in four languages, and the offline
provider. The service finds them by the entry point `rules` of `plainloop.hooks`.
"""
