"""A talk that two replicas share: begun at one, which is killed, and gone on with at the other."""

import os
import signal
import sys

from plainloop.client import Client

first, second, process = sys.argv[1:]
with Client(first) as one:
    thread = one.create_conversation()["id"]
    told = [*one.ask(thread, "add a book: Momo")]
os.kill(int(process), signal.SIGKILL)
with Client(second) as other:
    again = [*other.watch(thread, run_id=told[0].data["run_id"])]
    print("the other one tells the same events:", again == told)
    print(other.ask_text(thread, "how many books do I have?"))
