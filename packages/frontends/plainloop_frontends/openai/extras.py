"""Fields that other people's programs add to OpenAI's body by themselves: of their own chats, of
other servers of this API, of the gateways before them.

None of them changes what an answer means, so each is a preference: ignored, and reported. Fields
that would (`guided_json`, `best_of`, `echo`) are not here: they are refused by name. Read from the
request types of Open WebUI, LibreChat, LiteLLM, OpenRouter, vLLM, llama.cpp, Ollama, Mistral, Groq,
Qwen and GLM in November 2026.
"""

from __future__ import annotations

import re
from typing import Any, Final

from plainloop.agent.base.text.foreign_json import as_object

from .parameters import PARAMETERS

_HUMP: Final = re.compile(r"(?<=[a-z0-9])[A-Z]")
_OFF: Final = ("off", "none", "never", "disabled", "false")

_SAMPLING: Final = """
min_p top_a typical_p typ_p tfs_z repetition_penalty repeat_penalty repeat_last_n length_penalty
penalty_score mirostat mirostat_mode mirostat_tau mirostat_eta smoothing_factor samplers
random_seed do_sample early_stopping ignore_eos min_tokens adaptive_target adaptive_decay
rep_pen rep_pen_range rep_pen_slope repetition_penalty_range encoder_repetition_penalty typical tfs
sampler_order sampler_priority no_repeat_ngram_size penalty_alpha guidance_scale num_beams
epsilon_cutoff eta_cutoff temperature_last ban_eos_token custom_token_bans
"""
_SERVERS: Final = """
chat_template chat_template_kwargs add_generation_prompt continue_final_message
add_special_tokens skip_special_tokens spaces_between_special_tokens include_stop_str_in_output
mm_processor_kwargs priority request_id cache_salt kv_transfer_params truncate_prompt_tokens
prompt_truncate_len return_token_ids separate_reasoning stream_reasoning
cache_prompt id_slot slot_id n_keep timings_per_token return_progress reasoning_format
thinking_forced_open parse_tool_calls t_max_predict_ms keep_alive num_ctx
safe_prompt prompt_mode safety_model mask_sensitive_info tool_stream sensitive_word_check
incremental_output result_format translation_options backend_sampling
vl_high_resolution_images citation_options disable_tool_validation compound_custom
return_related_questions deferred
draft_model context_overflow_policy truncation_length add_bos_token character instruction_template
context_length_exceeded_behavior clear_thinking disable_reasoning stream_tokens
"""
_THOUGHT: Final = """
reasoning thinking think enable_thinking thinking_budget thinking_config thinking_mode
reasoning_split reasoning_budget reasoning_history reasoning_enabled show_thoughts budget_tokens
"""
_GATEWAYS: Final = """
provider providers route models transforms usage session_id trace trace_id debug
image_config preset drop_params allowed_openai_params additional_drop_params api_key api_base
api_version base_url custom_llm_provider num_retries max_retries retries fallbacks timeout
request_timeout stream_timeout cache caching cache_control ttl no-log guardrails tags
headers extra_headers extra_body extra_query extra_params provider_options
provider_specific_fields config virtual_key generation_name generation_id trace_name
trace_metadata trace_user_id proxy_server_request model_info model_group organization project
input_cost_per_token output_cost_per_token verbose logger_fn force_timeout rpm tpm
"""
_PROGRAMS: Final = """
id chat_id message_id parent_id parent_message parent_message_id session conversation_id
thread_id assistant_id user_id
user_name username user_message_id prompt_id run_id workspace_id features variables
background_tasks model_item tool_ids tool_servers filter_ids files params custom_params options
template terminal_id skill_ids note_ids folder_id title
endpoint
spec greeting
max_context_tokens context_length ctx_len ngl engine
chat_completion_source char_name group_names reverse_proxy proxy_password use_sysprompt
custom_prompt_post_processing type source
language locale timezone client app app_name app_version version
intent intent_threshold mode snippy nwo quiet genkey client_metadata
temporary memory metadata_tags experimental_metadata
name description agent agent_id history raw stream_mode detail response_chat_item_id uid
"""
EXTRAS: Final = frozenset(" ".join((_SAMPLING, _SERVERS, _THOUGHT, _GATEWAYS, _PROGRAMS)).split())
# What these ask for changes an answer, where they ask for anything: `"web_search": false` does not.
SWITCHES: Final = frozenset(
    "web_search enable_web_search enable_search search_options search_settings search_parameters "
    "plugins request_images return_images n_probs".split()
)
# Whole families of names: of a program's own, or of one kind of sampling.
PREFIXES: Final = (
    *("_", "x_", "x-", "litellm_", "langfuse_", "langsmith_", "posthog_", "helicone_"),
    *("dry_", "xtc_", "dynatemp_", "copilot_", "openwebui_", "librechat_", "speculative."),
    "custom_",
)


def is_extra(name: str, value: Any) -> bool:
    """Return whether an unknown field of a request may be ignored.

    It may if another program uses it or if it is switched off.

    >>> is_extra("chat_id", "c1"), is_extra("litellm_call_id", 1), is_extra("guided_json", {"a": 1})
    (True, True, False)
    >>> is_extra("web_search", False), is_extra("web_search", True)
    (True, False)
    >>> is_extra("echo", False), is_extra("echo", True), is_extra("best_of", 1)
    (True, False, True)
    >>> is_extra("search_parameters", {"mode": "off"}), is_extra("chatId", "c1")
    (True, True)

    Servers of this API name fields in snake_case, so camelCase is a program's own, if it is no
    demand in other letters.

    >>> is_extra("reasoningSummary", "auto"), is_extra("promptCacheKey", "k")
    (True, True)
    >>> is_extra("maxTokens", 5), is_extra("webSearch", True)
    (False, False)
    """
    is_empty = value is False or (isinstance(value, (str, list, dict)) and not value)
    is_off = (
        is_empty or (name in SWITCHES and is_switched_off(value)) or (name, value) == ("best_of", 1)
    )
    plain = _HUMP.sub(lambda hump: f"_{hump[0].lower()}", name)
    is_demand = plain in SWITCHES or (plain in PARAMETERS and PARAMETERS[plain].kind == "demand")
    is_own = plain != name and not is_demand
    return is_off or is_own or name in EXTRAS or name.startswith(PREFIXES)


def is_switched_off(value: Any) -> bool:
    """Return whether a setting's value means "off".

    An object is off if its `mode`, `type`, `enabled` or `enable` is.

    >>> is_switched_off({"mode": "off"}), is_switched_off({"mode": "auto"}), is_switched_off(0)
    (True, False, True)
    """
    fields = as_object(value)
    modes = [fields[key] for key in ("mode", "type", "enabled", "enable") if key in fields]
    return any(not item or item in _OFF for item in (modes if fields else [value]))
