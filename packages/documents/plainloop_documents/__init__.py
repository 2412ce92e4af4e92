"""PDF, Word and web pages read and letters written in processes of their own; web searches."""
