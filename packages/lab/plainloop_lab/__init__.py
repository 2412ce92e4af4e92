"""Decisions about models, prompts and designs by measurement; candidates beside what is served."""
