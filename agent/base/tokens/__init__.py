"""Token counts: estimated before a request, and corrected by what providers report."""
