"""LangSmith: runs and datasets as they are exported, and what its clients post.

Sources: langchain-ai/langsmith-sdk python/langsmith/schemas.py (Run), langchain-ai/langsmith-cli
internal/extract/extract.go (`langsmith run export`, `langsmith trace export`).
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from plainloop.agent.config.settings import Settings
from plainloop.agent.errors import InputError

from .bodies import list_sent, read_output, read_sent
from .conversations import ModelCall, ToolSpan
from .files import read_items, refuse_unknown
from .messages import OTHER_ANSWER, MessageReader
from .spool import Spool
from .usage import read_usage
from .values import (
    as_dict,
    as_list,
    as_money,
    as_text,
    find_named,
    parse_json,
    parse_moment,
    parse_time,
)
from .whole import keep_whole

_BOUNDARY: Final = re.compile(r"boundary=\"?([^\";,]{1,200})")
# Of a run itself, where no message tells what it used.
_COUNTS: Final = (
    "prompt_tokens",
    "completion_tokens",
    "total_tokens",
    "prompt_token_details",
    "completion_token_details",
)
_NAME: Final = re.compile(rb'name="(post|patch)\.([^".]{1,100})(?:\.([a-z_]{1,40}))?"')


def read_files(spool: Spool, files: Sequence[str], settings: Settings) -> None:
    """Put all model and tool runs of LangSmith's files into the spool (a temporary store).

    Raises: InputError.
    """
    order = 0
    for path in files:
        for item in read_items(path, "runs", "data", broken=spool.broken):
            place = f"{path}, item {spool.broken.item}"
            try:
                runs = [*_list_runs(as_dict(item), place, spool, settings)]
            except InputError as error:
                spool.broken.refuse(error)
                continue
            for run in runs:
                order += 1
                spool.put("run", str(run.get("id")), order, run)
    spool.index()
    for run in spool.list_merged("run"):  # posted at its start, completed at its end
        _make(spool, run, MessageReader(settings))


def _list_runs(
    item: dict[str, Any], place: str, spool: Spool, settings: Settings
) -> Iterator[dict[str, Any]]:
    if "run_type" in item:
        yield _from_cli(item) if "run_id" in item else item
        for child in map(as_dict, as_list(item.get("child_runs"))):
            yield from _list_runs(child, place, spool, settings)
    elif "body_b64" in item:
        yield from _read_request(item, place)
    elif "post" in item or "patch" in item:
        yield from _read_batch(item)
    elif "inputs" in item and "outputs" in item:  # one turn of a dataset, the history before it
        inputs, outputs = as_dict(item["inputs"]), as_dict(item["outputs"])
        messages = as_list(inputs.get("messages"))
        answer = outputs.get("message") or (as_list(outputs.get("messages")) or [None])[-1]
        if not messages:
            spool.put("error", "", 0, "an example without messages")
            return
        reader = MessageReader(settings)
        said = reader.read([*messages, *([answer] if answer else [])])
        reader.note("an example of a dataset: imported as a conversation")
        keep_whole(spool, reader, said, name=as_text(item.get("id")) or None)
    else:
        raise refuse_unknown(item, place, "LangSmith")


def _from_cli(item: dict[str, Any]) -> dict[str, Any]:
    """Give a run of LangSmith's command line the API's names."""
    told = as_dict(item.get("token_usage")) | as_dict(item.get("costs"))
    extra = {"metadata": as_dict(item.get("custom_metadata"))}
    return {**item, **told, "id": item["run_id"], "extra": extra}


def _read_batch(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for key in ("post", "patch"):
        yield from (as_dict(run) for run in as_list(body.get(key)))


def _read_request(item: dict[str, Any], place: str) -> Iterator[dict[str, Any]]:
    """Yield the runs in a client's request that a proxy has recorded: `body_b64`, `headers`."""
    try:
        body = base64.b64decode(as_text(item["body_b64"]))
    except binascii.Error as error:
        raise InputError(
            f"{place}: the body is not base64", hint="Leave it out with --skip-broken."
        ) from error
    headers = {name.lower(): as_text(value) for name, value in as_dict(item.get("headers")).items()}
    if (encoding := headers.get("content-encoding", "identity")) != "identity":
        raise InputError(
            f"{place}: the body is compressed ({encoding})",
            hint="Set LANGSMITH_DISABLE_RUN_COMPRESSION=true in the clients, and record again.",
        )
    found = _BOUNDARY.search(headers.get("content-type", ""))
    if found is None:
        yield from _read_batch(as_dict(parse_json(body)))
        return
    runs: dict[tuple[str, str], dict[str, Any]] = {}
    for part in body.split(b"--" + found[1].encode()):
        head, _, content = part.partition(b"\r\n\r\n")
        named = _NAME.search(head)
        if named is None:
            continue
        kind, run_id, field = (group.decode() if group else "" for group in named.groups())
        value = parse_json(content.removesuffix(b"\r\n"))
        run = runs.setdefault((kind, run_id), {"id": run_id})
        if field:
            run[field] = value
        else:
            run |= as_dict(value)
    yield from runs.values()


def _make(spool: Spool, run: dict[str, Any], reader: MessageReader) -> None:
    extra = as_dict(parse_json(run.get("extra")))
    about = as_dict(extra.get("metadata"))
    group = find_named(about)
    trace = as_text(run.get("trace_id")) or as_text(run.get("id"))
    began = parse_moment(run.get("start_time"))
    outputs = as_dict(parse_json(run.get("outputs")))
    if run.get("run_type") == "tool":
        text, kwargs = find_result(outputs)
        if run.get("error") and "GraphInterrupt" in as_text(run["error"]):
            text = None  # it waits
        spool.put_tool(ToolSpan(
            trace, began, as_text(run.get("name")), as_text(kwargs.get("tool_call_id")) or None,
            None if text is None else as_text(text),
            is_error=bool(run.get("error")) or kwargs.get("status") == "error", group=group,
        ))  # fmt: skip
    if run.get("run_type") == "llm":
        call = ModelCall(as_text(run.get("id")), trace, began, began, group=group)
        call.ended_at = parse_time(run.get("end_time")) or began
        call.parent = as_text(run.get("parent_run_id")) or None
        call.provider = as_text(about.get("ls_provider"))
        call.node = as_text(about.get("langgraph_node")) or None
        _fill(call, run, extra, about, outputs, reader)
        spool.put_call(call)
    elif run.get("run_type") not in ("tool", "chain") and run.get("total_tokens"):
        # A chain's usage is the sum of the calls in it.
        kind = as_text(run["run_type"])[:40]
        spool.left_out[f"usage of a run of type {kind!r}: left out"] += 1


def _fill(
    call: ModelCall,
    run: dict[str, Any],
    extra: dict[str, Any],
    about: dict[str, Any],
    outputs: dict[str, Any],
    reader: MessageReader,
) -> None:
    inputs = as_dict(parse_json(run.get("inputs")))
    asked = as_dict(extra.get("invocation_params"))
    call.tools = as_list(inputs.get("tools") or asked.get("tools")) or None
    messages = as_list(inputs.get("messages"))
    nested = len(messages) == 1 and isinstance(messages[0], list)  # LangChain: a list of lists
    sent = as_list(messages[0]) if nested else list_sent(inputs, reader.note)
    if sent:
        call.system, said = read_sent(reader, sent)
        call.sent = said or None
    else:
        call.gaps.append("no content: the inputs are stored elsewhere, or not at all")
    if inputs.get("previous_response_id"):
        call.gaps.append("the history starts in the middle: an earlier response is missing")
    answer, message, usage = find_answer(outputs)
    for _ in as_list((as_list(outputs.get("generations")) or [None])[0])[1:]:
        reader.note(OTHER_ANSWER)
    details = as_dict(message.get("response_metadata"))
    model = outputs.get("model") or details.get("model_name")
    call.model = as_text(
        inputs.get("model") or about.get("ls_model_name") or asked.get("model") or model
    )
    call.model_answered = as_text(model) or None
    call.response_id = as_text(outputs.get("id") or details.get("id")) or None
    choice = as_dict((as_list(outputs.get("choices")) or [None])[0])
    finish = details.get("finish_reason") or choice.get("finish_reason")
    finish = finish or outputs.get("stop_reason") or outputs.get("finish_reason")
    call.finish = as_text(finish) or None
    if run.get("error"):
        call.error = (as_text(run["error"]).strip().splitlines() or ["no answer"])[0][:500]
    else:
        call.answer = read_output(reader, answer)
        if call.answer is not None and not call.answer.parts:
            call.gaps.append("an answer without text")
    output = as_dict(outputs.get("llm_output"))
    copies = [about.get("usage_metadata")]
    copies += [kept.get(name) for kept in (details, output) for name in ("usage", "token_usage")]
    known = [usage, *map(as_dict, copies), {name: run.get(name) for name in _COUNTS}]
    call.usage = read_usage(next(one for one in known if one), reader.note)
    call.cost_usd = as_money(run.get("total_cost"))
    call.notes = reader.list_notes()


def find_result(outputs: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Return (a tool run's result, LangChain's message of it or {})."""
    output = outputs.get("output", outputs or None)
    told = as_dict(output)
    message = as_dict(told.get("kwargs")) or told
    return message.get("content", output), message


def find_answer(outputs: dict[str, Any]) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    """Return (the answer, LangChain's message or {}, its usage), whichever wrapper has traced it.

    Anthropic's and Gemini's wrappers make the message itself the outputs.
    """
    usage = as_dict(outputs.get("usage_metadata") or outputs.get("usage"))
    generations = as_list(outputs.get("generations"))
    if not generations:
        return outputs, {}, usage
    first = as_dict((as_list(generations[0]) or [None])[0])
    wrapped = as_dict(first.get("message"))
    message = as_dict(wrapped.get("kwargs")) or wrapped
    return message or first.get("text"), message, as_dict(message.get("usage_metadata")) or usage
