"""Files: PDF, Word and web pages read, letters written, in processes of their own."""
