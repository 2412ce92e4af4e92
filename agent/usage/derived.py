"""The SQL of report dimensions that are no column of the ledger: what a call served, its chat."""

from __future__ import annotations

from typing import Final

FEATURE: Final = (
    "coalesce(worker, (select led.worker from llm_calls as led"
    " where led.tenant_id = llm_calls.tenant_id and led.run_id = llm_calls.run_id"
    " and led.worker is not null order by led.call_id limit 1),"
    " case when role in ('classifier', 'router') then 'fast path' else role end)"
)
# A chat is its first thread with all that were branched from it (a message was edited, or asked
# again); a filter takes the id of any of them.
CHAT: Final = "coalesce({table}.family, {table}.thread_id)"
# Joined once: a subquery for each row took 6.6 s for 1 million calls in 100,000 threads.
WITH_FAMILY: Final = (
    "(select {table}.*, family from {table} left join (select thread_id as version, family"
    " from threads where tenant_id = $1 and family is not null) as versions"
    " on version = {table}.thread_id) as {table}"
)
IN_CHAT: Final = (
    "thread_id = any (array(with chat as (select coalesce(family, thread_id) as family from threads"
    " where tenant_id = $1 and thread_id = {at}) select {at} union select family from chat union"
    " select threads.thread_id from chat join threads using (family)"
    " where threads.tenant_id = $1))"
)
# What a call was for. Outside runs, a call's node is its role; of an erased chat the node stays.
PURPOSE: Final = (
    "case when replay_id is not null then 'replays' when thread_id is not null then 'chats'"
    " when node <> role then 'deleted chats' when role = 'parser' then 'files'"
    " else coalesce(worker, role) end"
)
PRICE: Final = (
    "case when cost_usd is not null then 'known' when status = 'started' then 'running'"
    " when most_usd is not null then 'bounded' else 'unknown' end"
)
