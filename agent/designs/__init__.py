"""Strategies: how a message becomes an answer. One folder each; chosen by `agent.design`."""
