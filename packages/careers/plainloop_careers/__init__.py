"""The careers pack: job tracker, profile, résumé, grounded cover letters."""


def make_pack():
    """Build the careers pack; its modules are imported only by this call."""
    from .pack import build_pack

    return build_pack()
