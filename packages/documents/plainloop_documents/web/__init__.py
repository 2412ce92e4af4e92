"""Pages and searches on the web, through the guard of outbound requests."""
