"""Which model, at which effort, for which worker: `plainloop advise`."""
