"""The door for LangGraph's clients: `/langgraph`, an encoder over the one event log."""
