"""What the ledger has, beside what the model's server has counted: `compare.py URL <calls.csv`."""

import csv
import re
import sys
import urllib.request

calls = list(csv.DictReader(sys.stdin))
ours = [sum(int(call[name] or 0) for call in calls) for name in ("input_tokens", "output_tokens")]
text = urllib.request.urlopen(f"{sys.argv[1]}/metrics").read().decode()
counted = dict(re.findall(r"^llamacpp:(\w+)_total (\d+)$", text, re.MULTILINE))
theirs = [int(counted[name]) for name in ("prompt_tokens", "tokens_predicted")]
told = "as many tokens as" if ours == theirs else f"{ours} tokens, not {theirs} as"
print(f"{len(calls)} call in the ledger, with {told} the model's server counted")
