"""Serve HTTP, SSE and WebSocket; and the wire server, which speaks the providers' formats."""
