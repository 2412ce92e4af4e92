"""The six turns that every wire has to answer alike, said in two ways."""

from __future__ import annotations

from typing import Final

# Said so that rules recognise the count, the list and the lookup: no model call for those.
PLAIN: Final = (
    "how many jobs have I applied to?",
    "add a job: Backend Engineer at Globex, remote, 120k to 140k",
    "list my saved jobs",
    "what is the status of the Globex job?",
    "move it to applied",
    "write a cover letter for the Globex job",
)
# Said so that they do not: the model has to sort them.
ROUNDABOUT: Final = (
    "save a job: Data Engineer at Initech, onsite, in Austin",
    "count the jobs, location: Austin",
    "look up the jobs, company: Initech",
    "set its status to applied",
    "show the jobs, status: saved",
    "now draft me a cover letter for the Initech job",
)
