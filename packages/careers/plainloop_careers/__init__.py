"""The careers pack: job tracker, profile, résumé, grounded cover letters."""


def make_pack():
    """The pack. Only now is it imported: settings and commands are read without it."""
    from .pack import build_pack

    return build_pack()
