"""The wire server: a brain behind the real formats of the providers, on loopback.

Strict as the real APIs are, so that what passes here has a chance there; it can be told to be
slow, to fail and to break off, and it remembers every request.
"""

from .app import Wire, make_app
from .call import Brain, Rules
from .faults import Fault, Faults, build_faults, parse_faults
from .script import Script, load_script, parse_script
from .serving import (
    WIRES,
    build_environ,
    build_usage_lines,
    run_wire_server,
    serve_wire,
)

__all__ = [
    "WIRES",
    "Brain",
    "Fault",
    "Faults",
    "Rules",
    "Script",
    "Wire",
    "build_environ",
    "build_faults",
    "build_usage_lines",
    "load_script",
    "make_app",
    "parse_faults",
    "parse_script",
    "run_wire_server",
    "serve_wire",
]
