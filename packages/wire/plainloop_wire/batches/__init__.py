"""Batches of requests: the endpoints of OpenAI and Anthropic over one store."""
