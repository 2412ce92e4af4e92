"""The careers pack: job tracker, profile, résumé, grounded cover letters."""


def make_pack():
    """Build the careers pack; import it only now, as settings and commands do not need it."""
    from .pack import build_pack

    return build_pack()
