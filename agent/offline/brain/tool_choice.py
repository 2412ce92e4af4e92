"""Which tools a request needs, with which arguments: a plan made from the text alone."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any, Final

from ...types import ToolSchema
from ..rules import get_rules
from .foreign import (
    choose_by_nouns,
    choose_by_verb,
    fill_arguments,
    find_number,
    find_unsaid_verb,
    is_foreign,
    names_thing,
)
from .hedges import (
    find_unsaid,
    is_beyond,
    is_denied,
    is_supposed,
    is_unreal,
    is_unsure,
    strip_reminder,
)
from .people import find_company, find_person, is_about_person
from .profiles import find_statement
from .schemas import MISSING, Param, fit_arguments, fit_value, list_params
from .slots import (
    build_query,
    cut_note,
    find_enums,
    find_url,
    is_led_to,
    read_slots,
)
from .slots import read_names as read_domain_names
from .verbs import (
    FALLBACKS,
    Verb,
    find_verb,
    is_advice,
    is_command,
    is_news,
    is_question,
    parse_tool_name,
    split_clauses,
)
from .words import list_concepts, stem

_FREE_TEXT: Final = ("query", "question", "q", "search", "text", "prompt", "topic", "keywords")
_EXPLICIT_ID: Final = re.compile(
    r"(?:#|\b(?:id|number|no\.?|nr\.?|job|row|entry|contact)\s*#?\s*)(\d{1,9})\b(?!\s*/)", re.I
)
_SEVERAL_IDS: Final = re.compile(
    r"(?:#|\b(?:ids?|numbers?|jobs?|rows?|entries)\s*#?\s*)\d{1,5}(?:\s*,\s*#?\d{1,5})*"
    r"\s*,?\s+(?:and|&)\s+(?:jobs?\s+)?#?\d{1,5}\b(?!\s*(?:k\b|%|/|stars?))",
    re.I,
)
_OWN_THINGS: Final = re.compile(
    r"\b(?:my|saved|tracked|tracker|i have|i've|have i|did i|pipeline|applied|rejected|offers?"
    r"|interviewing)\b",
    re.I,
)
# "change the title of X to Y": Y is the new value, not a name to find the row by.
_CHANGE_OF_NAME: Final = re.compile(r"\b(?:title|company)\s+(?:of|for|on)\s+(.+?)\s+to\s+.+$", re.I)
# "…, can you save it?": the deed stands after the thing that it is about.
_POINTS_BACK: Final = re.compile(
    r"^\W*(?:(?:please|can|could|would|you)\s+)*\w+\s+(?:it|this|that)\W*(?:please\W*)?$", re.I
)
_NAMED_TOOL: Final = re.compile(
    r"\b(?:call|use|run|invoke)\s+(?:the\s+)?(?:tool\s+)?[`'\"“]?([A-Za-z][\w-]{0,63})", re.I
)
# What a tool that deletes one kind of thing must not be taken for.
_OTHER_THINGS: Final = ("profile", "contact", "company", "document")
_EVERYTHING: Final = re.compile(
    r"\b(?:everything|all (?:of )?(?:my |the )?data|account|history|conversations?|threads?"
    r"|settings|notes?|tags?)\b",
    re.I,
)
_FIELD_OF: Final = re.compile(
    r"^\W*(?:\w+\s+){0,4}?(?:delete|remove|drop|erase|discard|clear|forget)\s+"
    r"(?:(?:the|its|their|all|my|a|an|any)\s+)*(\w+)(?:\s+[\w-]+){0,2}?\s+(?:of|from|for|on|at)\b",
    re.I,
)
_WRITES: Final = frozenset({"create", "update", "delete"})
_CLASS_BONUS: Final = 0.4
_NOUN_WEIGHT: Final = 1.0
_SLOT_WEIGHT: Final = 0.3


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do.

    kind: call = one call; by_id = find the row first; merge = read the profile, then write it.
    missing: required parameters that the text is silent on.
    """

    kind: str
    tool: ToolSchema
    arguments: dict[str, Any]
    clause: str
    verb: Verb
    missing: tuple[str, ...] = ()
    id_param: str = ""
    names: dict[str, Any] = field(default_factory=dict[str, Any])


def plan_actions(text: str, tools: tuple[ToolSchema, ...]) -> list[Action]:
    """The request's actions in order; [] when no tool serves it."""
    named = find_named_tool(text, tools)
    if named is not None:
        return [build_action(named, parse_tool_name(named).verb or "read", text)]
    text = strip_reminder(text)
    statement = "" if is_denied(text) else find_statement(text)
    writer = find_profile_writer(tools)
    if statement and writer is not None:
        return [Action("merge", writer, {}, statement, "update")]
    clauses = _join_fragments(split_clauses(text), tools)
    actions = [_plan_clause(clause, tools) for clause in clauses]
    found = [each for action in actions if action for each in _part(action)]
    if is_supposed(cut_note(text)):
        return [action for action in found if action.verb not in _WRITES]
    return found


def _part(action: Action) -> list[Action]:
    """One action for each of several things: "jobs 3 and 4", "saved or applied"."""
    id_param = _find_id_param(action.tool, list_params(action.tool.parameters))
    if id_param:
        ids = _list_ids(action.clause)
        return [
            replace(action, kind="call", arguments={**action.arguments, id_param: row_id})
            for row_id in ids
        ] or [action]
    if action.verb not in ("list", "read") or action.kind != "call":
        return [action]
    for name, param in list_params(action.tool.parameters).items():
        values = find_enums(action.clause, param.enum) if name in action.arguments else []
        if len(values) > 1:
            return [
                replace(action, arguments={**action.arguments, name: value}) for value in values
            ]
    return [action]


def _list_ids(clause: str) -> list[int]:
    """The numbers of several rows: "jobs 3, 4 and 5"; [] when fewer than two are named."""
    match = _SEVERAL_IDS.search(cut_note(clause))
    return (
        list(dict.fromkeys(int(number) for number in re.findall(r"\d+", match[0]))) if match else []
    )


def find_named_tool(text: str, tools: tuple[ToolSchema, ...]) -> ToolSchema | None:
    """The tool that the text says to call, by its very name."""
    names = {match[1] for match in _NAMED_TOOL.finditer(text)}
    return next((tool for tool in tools if tool.name in names), None)


def find_profile_writer(tools: tuple[ToolSchema, ...]) -> ToolSchema | None:
    """The tool that replaces the user's profile by one Markdown text."""
    for tool in tools:
        name = parse_tool_name(tool)
        if name.verb == "update" and "profile" in name.nouns and get_content_param(tool):
            return tool
    return None


def get_content_param(tool: ToolSchema) -> str:
    """The one required text parameter of a tool; "" when it has none or several."""
    required = [param for param in list_params(tool.parameters).values() if param.is_required]
    return required[0].name if len(required) == 1 and "string" in required[0].kinds else ""


def find_reader(tools: tuple[ToolSchema, ...], noun: str) -> ToolSchema | None:
    """The tool without required parameters that reads this noun (`read_profile`)."""
    for tool in tools:
        name = parse_tool_name(tool)
        if name.verb in ("read", "list") and stem(noun) in name.stems:
            if fit_arguments(tool.parameters, {}) is not None:
                return tool
    return None


def build_action(tool: ToolSchema, verb: Verb, clause: str) -> Action:
    """The tool with the arguments that the clause gives it."""
    params = list_params(tool.parameters)
    id_param = _find_id_param(tool, params)
    slots = read_slots(clause, params, is_change=bool(id_param))
    slots = {name: value for name, value in slots.items() if name != id_param}
    if not id_param:
        if parse_tool_name(tool).verb is not None:
            slots = _add_free_text(params, slots, clause, tool)
        slots = _add_name(params, slots, clause, tool)
        slots = fill_arguments(tool, clause, slots) if is_foreign(tool) else slots
        return _make_call(tool, verb, clause, params, slots)
    explicit = _EXPLICIT_ID.search(clause)
    number = int(explicit[1]) if explicit else find_number(clause, tool)
    if number is not None:
        slots[id_param] = fit_value(params[id_param], number)
        return _make_call(tool, verb, clause, params, slots)
    return Action("by_id", tool, slots, clause, verb, id_param=id_param, names=read_names(clause))


def read_names(clause: str) -> dict[str, Any]:
    """Company and title by which the clause means a row."""
    params = {name: Param(name, ("string",), (), False, {}) for name in ("company", "title")}
    head = re.sub(r"(?<=\w)['’]s\b", "", cut_note(clause))
    found = read_slots(_CHANGE_OF_NAME.sub(r"\1", head), params)
    return found or read_slots(head, params)


def _make_call(
    tool: ToolSchema, verb: Verb, clause: str, params: dict[str, Param], slots: dict[str, Any]
) -> Action:
    known = {name: value for name, value in slots.items() if value is not MISSING}
    missing = [p.name for p in params.values() if p.is_required and p.name not in known]
    return Action("call", tool, known, clause, verb, missing=tuple(missing))


def _plan_clause(clause: str, tools: tuple[ToolSchema, ...]) -> Action | None:
    verb = find_verb(clause)
    if verb in _WRITES and _is_no_request(clause, verb):
        return None
    if verb == "update" and is_about_person(clause):
        contact = _choose_tool(clause + " (contact)", "create", tools)
        if contact is not None and "contact" in parse_tool_name(contact).nouns:
            return build_action(contact, "create", clause)
    if _is_status_news(clause, verb):
        changed = _choose_tool(clause, "update", tools)
        action = build_action(changed, "update", clause) if changed else None
        is_named = changed is not None and (not is_foreign(changed) or names_thing(clause, changed))
        if action is not None and action.arguments and is_named:
            return action
    if verb is None or (verb == "search" and _OWN_THINGS.search(clause)):
        verb = "list" if verb or _list_redirects(clause) else None
    if find_url(clause) and verb in ("read", "list", None):
        verb = "read"
    own = choose_by_verb(clause, tools)
    if own is not None and not _is_no_request(clause, verb):
        return build_action(own, verb or "read", clause)
    verb = verb or (None if is_advice(clause) else find_unsaid_verb(clause, tools))
    tool = _choose_tool(clause, verb, tools) if verb else None
    tool = tool or choose_by_nouns(clause, tools)
    if tool is None or verb is None:
        return None
    is_listing = parse_tool_name(tool).verb == "list" and verb in ("list", "read")
    unsaid = find_unsaid(clause) if is_listing else None
    if unsaid is not None:  # what it says is no filter: "all jobs except rejected"
        return replace(build_action(tool, verb, clause[:unsaid]), clause=clause)
    action = build_action(tool, verb, clause)
    company = str(action.arguments.get("company", ""))
    if is_listing and company.islower() and not is_led_to(company, clause):
        return None  # nobody's name, it seems: "the status of my loan application"
    return action


def _is_no_request(clause: str, verb: Verb | None) -> bool:
    """Whether the clause denies or weighs the deed that its verb names. Notes may say anything."""
    said = cut_note(clause)
    return (
        is_denied(said) or is_beyond(said) or (is_unsure(said) and not (verb and is_command(said)))
    )


def _is_status_news(clause: str, verb: Verb | None) -> bool:
    if is_unreal(clause):
        return False
    return is_news(clause) and (verb is None or not is_command(clause))


def _choose_tool(clause: str, verb: Verb, tools: tuple[ToolSchema, ...]) -> ToolSchema | None:
    """The tool of the verb's class whose nouns and parameters fit the clause best."""
    concepts = list_concepts(clause)
    for meant, not_meant in _list_redirects(clause):
        concepts |= {stem(word) for word in meant.split()}
        concepts -= {stem(word) for word in not_meant.split()}
    scored: list[tuple[float, ToolSchema]] = []
    for tool in tools:
        if verb == "delete" and _is_about_other(tool, clause, concepts, tools):
            continue
        score = _score_tool(tool, verb, clause, concepts)
        if score is not None:
            scored.append((score, tool))
    best = max(scored, key=lambda item: item[0], default=None)
    # "what tags do I have?": nothing in it tells one list from the others.
    is_any = best is not None and best[0] == 0 and sum(score == 0 for score, _ in scored) > 1
    return best[1] if best and not is_any else None


def _list_redirects(clause: str) -> list[tuple[str, str]]:
    """What a domain says that the clause is about: concepts meant, concepts not meant."""
    known = [item for rules in get_rules() for item in rules.redirects.items()]
    return [concepts for pattern, concepts in known if re.search(pattern, clause, re.I)]


def _is_about_other(
    tool: ToolSchema, clause: str, concepts: set[str], tools: tuple[ToolSchema, ...]
) -> bool:
    """Whether it is something else that is to go: "my profile", "the tag of job 3"."""
    field = _FIELD_OF.search(clause)
    fields = {
        stem(part)
        for each in tools
        for name in list_params(each.parameters)
        for part in name.split("_")
    }
    nouns = parse_tool_name(tool).stems
    if field and stem(field[1].casefold()) in fields - nouns:
        return True
    if nouns & concepts or _EXPLICIT_ID.search(clause):
        return False
    learned = [kind for rules in get_rules() for kind in rules.kinds]
    others = {stem(noun) for noun in (*_OTHER_THINGS, *learned)} - nouns
    return bool(others & concepts) or _EVERYTHING.search(clause) is not None


def _score_tool(tool: ToolSchema, verb: Verb, clause: str, concepts: set[str]) -> float | None:
    name = parse_tool_name(tool)
    if name.verb not in FALLBACKS[verb]:
        return None
    named = sum(stem(noun) in concepts for noun in name.nouns) * _NOUN_WEIGHT
    params = list_params(tool.parameters)
    needs_url = "url" in params and params["url"].is_required
    if needs_url and not find_url(clause):
        return None
    rank = FALLBACKS[verb].index(name.verb)
    slots = (
        read_slots(clause, params) if not needs_url else {"url": 1, "job": 1, "page": 1, "site": 1}
    )
    score = named + _SLOT_WEIGHT * len(slots) - _CLASS_BONUS * rank
    if needs_url:
        return score
    if rank == 0:
        is_vague = verb in ("list", "read") and not named and not slots
        return None if is_vague and not _OWN_THINGS.search(clause) else score
    is_fitting = named > 0 if verb != "search" else bool(_OWN_THINGS.search(clause) or slots)
    return score if is_fitting and (verb != "create" or named) else None


def _join_fragments(clauses: list[str], tools: tuple[ToolSchema, ...]) -> list[str]:
    """Clauses that serve no tool by themselves go with the one before them."""
    joined: list[str] = []
    for clause in clauses:
        is_alone = _plan_clause(clause, tools) is not None or is_question(clause)
        if joined and _POINTS_BACK.match(clause) and _plan_clause(joined[-1], tools) is None:
            joined[-1] = f"{clause}: {joined[-1]}"
        elif joined and not is_alone:
            joined[-1] += ". " + clause
        else:
            joined.append(clause)
    return joined


def _find_id_param(tool: ToolSchema, params: dict[str, Param]) -> str:
    """The parameter that names the row to change or delete; "" for other tools."""
    if parse_tool_name(tool).verb not in ("update", "delete", None):
        return ""
    return next((name for name in params if name == "id" or name.endswith("_id")), "")


def _add_name(
    params: dict[str, Param], slots: dict[str, Any], clause: str, tool: ToolSchema
) -> dict[str, Any]:
    """The name of the person or company that a tool stores."""
    nouns = parse_tool_name(tool).nouns
    if "name" not in params or "name" in slots:
        return slots
    if "contact" in nouns:
        name = find_person(clause)
        company = str(slots.get("company") or "")
        if name and company.startswith(name):  # "Jane Doe's e-mail" names no company
            slots = {key: value for key, value in slots.items() if key != "company"}
    elif "company" in nouns:
        name = find_company(clause) or read_domain_names(clause).get("company", "")
    else:
        return slots
    value = fit_value(params["name"], name) if name else MISSING
    return slots if value is MISSING else {**slots, "name": value}


def _add_free_text(
    params: dict[str, Param], slots: dict[str, Any], clause: str, tool: ToolSchema
) -> dict[str, Any]:
    for name, param in params.items():
        if name in _FREE_TEXT and name not in slots and param.is_required:
            is_about_jobs = "job" in parse_tool_name(tool).nouns
            query = build_query(clause, is_about_jobs=is_about_jobs)
            value = fit_value(param, query or clause.strip())
            if value is not MISSING and value:
                slots[name] = value
    return slots
