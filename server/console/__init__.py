"""The console: what there is to see, in the browser, from the process that serves the API.

Plain modules of the browser's own language lie in `static/`; nothing is built to run or to edit
them. What they show they read from the public API.
"""
