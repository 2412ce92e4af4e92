"""Designs: strategies to answer a message, one per folder, chosen by `agent.design`."""
