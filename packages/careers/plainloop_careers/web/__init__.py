"""What comes from the web: searches (one module per kind of provider), pages, postings."""
