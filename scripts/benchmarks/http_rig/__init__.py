"""Parts of `bench http`: a server with a paced model, and clients that measure it."""
