"""The careers pack: job tracker, profile, résumé, grounded cover letters."""


def make_pack():
    """Build the careers pack. Only this call imports the pack's modules."""
    from .pack import build_pack

    return build_pack()
