"""The staff-onboarding pack: a new colleague's details, the company's documents, one export."""


def make_pack():
    """Build the staff pack, and import its modules only now.

    Commands do not need them.
    """
    from .pack import build_pack

    return build_pack()
