"""The staff-onboarding pack: a new colleague's details, the company's documents, one export."""


def make_pack():
    """The pack. Only now is it imported: settings and commands are read without it."""
    from .pack import build_pack

    return build_pack()
