"""Runs of the machine, and a clock that tests set forward."""

from tests.machine.conftest import machine as machine
from tests.machine.passing import pass_s as pass_s
