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
    "I lost track a bit, could you perhaps work out how many applications I've sent out?",
    "Please keep an eye on this one for me: Initech wants a Data Engineer, onsite in Austin",
    "I'd like to see whatever I've got saved at the moment, newest last if possible",
    "hm, and the Initech thing, what do we have about it?",
    "good news, I applied there this morning",
    "now draft me a cover letter for them, would you?",
)
