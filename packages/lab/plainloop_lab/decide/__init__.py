"""What replays allow to decide: gates, tables of candidates, routes, shorter histories."""
