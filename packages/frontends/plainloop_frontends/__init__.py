"""The protocols of other clients: OpenAI, Anthropic, AI SDK, AG-UI with CopilotKit, MCP."""
