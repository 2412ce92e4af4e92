"""The protocols that web frontends speak: AI SDK's UI messages, and AG-UI with CopilotKit."""
