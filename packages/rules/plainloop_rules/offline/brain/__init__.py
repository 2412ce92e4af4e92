"""A stand-in without any language model: fixed rules that really drive the machine.

It answers when no key and no Ollama is at hand, and behind the wire server in tests and demos.
"""
