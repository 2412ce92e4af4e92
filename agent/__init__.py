"""The engine that runs agents, and the packages that it uses. Installed: `plainloop.agent`."""

from typing import Final

__version__: Final = "0.1.0"
