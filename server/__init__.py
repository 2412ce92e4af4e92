"""Edges: HTTP, SSE, WebSocket; and the wire server, which speaks the providers' formats."""
