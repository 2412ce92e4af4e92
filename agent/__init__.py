"""The machine and the rooms around it. Installed, it is `plainloop.agent`."""

from typing import Final

__version__: Final = "0.1.0"
