"""Vercel's AI SDK: its UI message stream, for `useChat` and what is built on it."""
