"""Bodies as chat programs, coding clients and low-code tools send them where their users have set
nothing: of those that cannot be installed, written after their sources and requests of others.

Recorded ones are in `program_bodies.jsonl`.
"""

from __future__ import annotations

from base64 import b64encode
from typing import Any, Final

PNG: Final = b64encode(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
        "1f15c4890000000d49444154789c6360606060000000050001a5f64540"
        "0000000049454e44ae426082"
    )
).decode()
HI: Final[Any] = {"role": "user", "content": "please do it"}
BE: Final[Any] = {"role": "system", "content": "You are a helpful assistant."}
PIXEL: Final = f"data:image/png;base64,{PNG}"
PARTS: Final[Any] = {"role": "user", "content": [{"type": "text", "text": "please do it"}]}
CACHED: Final[Any] = {"type": "ephemeral"}
NO_ARGUMENTS: Final[Any] = {"type": "object", "properties": {}}
SHAPE: Final[Any] = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["name", "age"],
    "additionalProperties": False,
}
FORMAT: Final[Any] = {
    "type": "json_schema",
    "json_schema": {"name": "r", "strict": True, "schema": SHAPE},
}
USAGE: Final[Any] = {"include_usage": True}
FLAT: Final[Any] = {"temperature": 0.7, "top_p": 1, "frequency_penalty": 0, "presence_penalty": 0}


WEATHER: Final[Any] = {"name": "get_weather", "description": "Says it.", "parameters": NO_ARGUMENTS}
CALL: Final[Any] = {
    "id": "call_a1",
    "type": "function",
    "function": {"name": "get_weather", "arguments": "{}"},
}
# A tool loop that another server began.
LOOP: Final[Any] = (
    HI,
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "call_a1", "name": "get_weather", "content": "12 degrees"},
)


TOOLS: Final[Any] = [{"type": "function", "function": WEATHER}]
LIMIT: Final[Any] = {"max_tokens": 4096}
# Sent to /v1/chat/completions.
CHAT: Final[dict[str, dict[str, Any]]] = {
    "n8n, basic chain": {"temperature": 0.7, "n": 1, "stream": False, "response_format": None},
    "n8n, agent": {"messages": [BE, HI], "tools": TOOLS, "stream": True, "stream_options": USAGE},
    "n8n, agent after its tool": {"messages": [BE, *LOOP], "tools": TOOLS},
    "n8n, HTTP request": {"messages": [HI], "max_tokens": 256, "user": 42},
    "Dify, chat": {**FLAT, "max_tokens": 512, "stream": True, "user": "abc-123", "stop": []},
    "Dify, agent": {"tools": TOOLS, "tool_choice": "auto", "stop": ["Observation"], "stream": True},
    "Dify, structured": {"response_format": FORMAT, "enable_thinking": False, "thinking_budget": 0},
    "Dify, agent after its tool": {"messages": [BE, *LOOP], "tools": TOOLS, "user": "abc-123"},
    "Flowise": {**FLAT, "n": 1, "stream": True, "stream_options": USAGE, "stop": None},
    "Flowise, agent": {"tools": TOOLS, "parallel_tool_calls": True, "n": 1, "seed": None},
    "Langflow": {"temperature": 0.1, "n": 1, "seed": 1, "stream": False, "max_tokens": None},
    "LibreChat": {**FLAT, "user": "64f", "stream": True, "stream_options": USAGE, "stop": []},
    "LibreChat, agent": {"messages": [BE, PARTS], "tools": TOOLS, "include_reasoning": True},
    "LobeChat": {
        **FLAT,
        "stream": True,
        "apiMode": "chatCompletion",
        "enabledSearch": False,
        "thinking": {"type": "disabled", "budget_tokens": 0},
    },
    "AnythingLLM": {"messages": [BE, HI], "temperature": 0.7, "max_tokens": 1024, "stream": True},
    "AnythingLLM, agent": {"functions": [], "temperature": 0.0, "stream": False},
    "Chatbox": {"messages": [BE, PARTS], "temperature": 0.7, "top_p": 1, "stream": True},
    "Jan": {
        "stream": True,
        "top_k": 40,
        "min_p": 0.05,
        "repeat_last_n": 64,
        "repeat_penalty": 1.0,
        "cache_prompt": True,
        "return_progress": True,
        "chat_template_kwargs": {"enable_thinking": True},
    },
    "BoltAI": {**FLAT, "stream": True, "max_tokens": 4000, "stream_options": USAGE},
    "TypingMind": {**FLAT, "stream": True, "plugins": [], "tools": TOOLS, "tool_choice": "auto"},
    "Continue, chat": {**LIMIT, "stream": True, "stop": ["<|im_end|>"], "temperature": 0.0},
    "Continue, agent": {**LIMIT, "tools": TOOLS, "parallel_tool_calls": False, "stream": True},
    "Cline": {
        "messages": [BE, {**PARTS, "content": [{**PARTS["content"][0], "cache_control": CACHED}]}],
        "temperature": 0,
        "stream": True,
        "stream_options": USAGE,
        "reasoning_effort": None,
    },
    "Roo Code, by its gateway": {
        "stream": True,
        "temperature": 0,
        "reasoning": {"effort": "medium", "exclude": False},
        "provider": {"order": ["a"], "only": ["a"], "allow_fallbacks": False},
        "transforms": ["middle-out"],
    },
    "Zed": {
        "messages": [{"role": "system", "content": PARTS["content"]}, PARTS],
        "stream": True,
        "max_completion_tokens": 8192,
        "parallel_tool_calls": False,
        "prompt_cache_key": "k",
        "temperature": 1.0,
        "stop": [],
        "tools": TOOLS,
    },
    "Raycast": {"temperature": 0.5, "stream": True, "tools": [], "tool_choice": "auto"},
    "Msty": {**FLAT, "stream": True, "seed": -1, "options": {}, "keep_alive": "5m"},
    "big-AGI": {
        "messages": [{"role": "developer", "content": "Formatting re-enabled"}, HI],
        "max_completion_tokens": 8192,
        "temperature": 0.5,
        "stream": True,
        "stream_options": USAGE,
        "reasoning_effort": "medium",
    },
    "NextChat": {**FLAT, "stream": True, "max_tokens": 4000},
    "SillyTavern": {
        "messages": [BE, {"role": "assistant", "content": "Hello!"}, HI],
        "temperature": 1,
        "stop": [f"\n{name}:" for name in ("User", "Bot", "Ann", "Bob", "System", "Narrator")],
        "logit_bias": {},
        "custom_include_body": "",
        "custom_prompt_post_processing": "merge",
        "reasoning_effort": "auto",
        "n": 1,
    },
    "KoboldAI Lite": {"rep_pen": 1.1, "rep_pen_range": 360, "top_a": 0, "typical": 1, "n": 1},
    "text-generation-webui's clients": {
        "mode": "instruct",
        "character": "A",
        "truncation_length": 0,
    },
    "Home Assistant": {
        "messages": [BE, HI],
        "max_tokens": 150,
        "top_p": 1,
        "temperature": 0.5,
        "user": "01J",
        "tools": TOOLS,
        "tool_choice": "auto",
    },
    "Home Assistant, by its gateway": {
        "user": "01J",
        "provider": {"require_parameters": True},
        "response_format": FORMAT,
    },
    "Make": {
        "max_tokens": 2048,
        "temperature": 1,
        "top_p": 1,
        "n": 1,
        "response_format": {"type": "text"},
        "stop": [],
        "logit_bias": None,
        "seed": None,
    },
    "Zapier": {"temperature": 0.7, "best_of": 1, "echo": False, "stop": "", "user": "z"},
    "LM Studio's sample": {"messages": [BE, HI], "temperature": 0.7, "max_tokens": -1},
    "LM Studio's clients": {"ttl": 300, "draft_model": "small", "max_tokens": -1, "stream": True},
    "Open WebUI": {
        "stream": True,
        "stream_options": USAGE,
        "metadata": {"chat_id": "c"},
        "chat_id": "c",
        "features": {"web_search": False, "code_interpreter": False},
        "variables": {"{{USER_NAME}}": "A"},
    },
    "Cherry Studio": {
        **FLAT,
        "stream": True,
        "enable_thinking": False,
        "keep_alive": 300,
        "enable_enhancement": False,
    },
    "Copilot with a key of one's own": {
        **LIMIT,
        "top_p": 1,
        "n": 1,
        "stream": True,
        "snippy": {"enabled": False},
        "intent": False,
        "tools": TOOLS,
    },
    "Spring AI": {"stream": False, "temperature": 0.7, "stream_options": None, "store": False},
    "Semantic Kernel": {**FLAT, "n": 1, "stop": [], "logit_bias": {}, "tool_choice": "none"},
    "LangChain4j": {"temperature": 0.7, "response_format": FORMAT, "parallel_tool_calls": None},
    "promptfoo": {**FLAT, "temperature": 0, "max_tokens": 1024, "seed": 0},
    "Haystack": {"messages": [BE, PARTS], "n": 1, "stream": False, "tools": []},
    "Obsidian Copilot": {"temperature": 0.1, "stream": True, "max_tokens": 6000, "n": 1},
    "a chat with a picture": {
        "messages": [
            {
                "role": "user",
                "content": [
                    *PARTS["content"],
                    {"type": "image_url", "image_url": {"url": PIXEL, "detail": "auto"}},
                ],
            }
        ]
    },
    "an answer as OpenAI's SDK dumps it": {
        "messages": [
            HI,
            {
                "role": "assistant",
                "content": "One.",
                "refusal": None,
                "annotations": [],
                "audio": None,
                "function_call": None,
                "tool_calls": [],
            },
            HI,
        ]
    },
}
THOUGHT: Final[Any] = {"type": "thinking", "thinking": "hm", "signature": "s"}
USE: Final[Any] = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "ls"}}
GIVEN: Final[Any] = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "a.txt"}
BASH: Final[Any] = {"name": "Bash", "description": "Runs it.", "input_schema": NO_ARGUMENTS}
SYSTEM: Final[Any] = [{"type": "text", "text": "You are a coding agent.", "cache_control": CACHED}]
# Sent to /anthropic/v1/messages.
MESSAGES: Final[dict[str, dict[str, Any]]] = {
    "a coding client": {
        "messages": [{**PARTS, "content": [{**PARTS["content"][0], "cache_control": CACHED}]}],
        "system": SYSTEM,
        "tools": [{**BASH, "eager_input_streaming": True, "cache_control": CACHED}],
        "metadata": {"user_id": "user_a_account__session_b"},
        "thinking": {"type": "adaptive"},
        "context_management": {"edits": [{"type": "clear_thinking_20251015", "keep": "all"}]},
        "output_config": {"effort": "medium"},
        "stream": True,
    },
    "a coding client after its tool": {
        "messages": [
            HI,
            {"role": "assistant", "content": [THOUGHT, {"type": "text", "text": "I look."}, USE]},
            {"role": "user", "content": [GIVEN, {"type": "text", "text": "<note>be brief</note>"}]},
        ],
        "system": SYSTEM,
        "tools": [BASH],
    },
    "a coding client that read a picture": {
        "messages": [
            HI,
            {"role": "assistant", "content": [USE]},
            {
                "role": "user",
                "content": [
                    {
                        **GIVEN,
                        "content": [
                            {
                                "type": "image",
                                "source": {
                                    "type": "base64",
                                    "media_type": "image/png",
                                    "data": PNG,
                                },
                            }
                        ],
                    }
                ],
            },
            {"role": "assistant", "content": "A dot."},
            HI,
        ],
        "tools": [BASH],
    },
    "Cline": {"system": SYSTEM, "messages": [PARTS], "temperature": 0, "stream": True},
    "Roo Code": {"system": SYSTEM, "thinking": {"type": "enabled", "budget_tokens": 2048}},
    "Zed": {"system": "Be brief.", "messages": [PARTS], "tools": [BASH], "stop_sequences": []},
    "LibreChat": {"system": SYSTEM, "top_k": 5, "top_p": 0.7, "temperature": 1, "stream": True},
    "Home Assistant": {"system": SYSTEM, "tools": [BASH], "tool_choice": {"type": "auto"}},
    "n8n": {"temperature": 0.7, "top_k": -1, "stream": False, "system": ""},
    "an answer of a server with a search": {
        "messages": [
            HI,
            {
                "role": "assistant",
                "content": [
                    {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search"},
                    {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []},
                    {"type": "text", "text": "Found it.", "citations": []},
                ],
            },
            HI,
        ]
    },
    "a search of the program's own": {
        "messages": [
            {
                "role": "user",
                "content": [
                    {
                        "type": "search_result",
                        "source": "handbook",
                        "title": "Rules",
                        "content": [{"type": "text", "text": "Ann is 41."}],
                        "citations": {"enabled": True},
                    },
                    *PARTS["content"],
                ],
            }
        ]
    },
}
ITEM: Final[Any] = {"type": "message", "role": "user", "content": "please do it"}
# Sent to /v1/responses.
RESPONSES: Final[dict[str, dict[str, Any]]] = {
    "Home Assistant": {
        "input": [{**ITEM, "role": "developer"}, ITEM],
        "max_output_tokens": 3000,
        "top_p": 1.0,
        "temperature": 1.0,
        "user": "01J",
        "store": False,
        "reasoning": {"effort": "low", "summary": "auto"},
        "include": ["reasoning.encrypted_content"],
        "text": {"verbosity": "medium"},
        "service_tier": "auto",
    },
    "a coding client": {
        "input": [ITEM],
        "instructions": "You are a coding agent.",
        "tools": [{"type": "function", "strict": False, **WEATHER}],
        "tool_choice": "auto",
        "parallel_tool_calls": False,
        "store": False,
        "stream": True,
        "include": ["reasoning.encrypted_content"],
        "prompt_cache_key": "k",
        "client_metadata": {"installation_id": "i"},
    },
    "n8n": {"input": [ITEM], "metadata": {}, "truncation": "disabled", "background": False},
    "big-AGI": {"input": [ITEM], "stream": True, "max_output_tokens": 8192, "truncation": "auto"},
    "after its tool": {
        "input": [
            ITEM,
            {"type": "function_call", "call_id": "call_r1", "name": "get_weather", "arguments": ""},
            {"type": "function_call_output", "call_id": "call_r1", "output": "12 degrees"},
        ],
        "tools": [{"type": "function", **WEATHER}],
    },
}
