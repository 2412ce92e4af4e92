-- A text that a user brought is parsed by a run of its own, in a thread of its own: it has steps,
-- calls and a recording like a conversation, is erased like one, and is in no list of them.
alter table threads drop constraint threads_kind_check;
-- Not valid: rows of before are of the two kinds that it allowed, and need no look.
alter table threads add constraint threads_kind_check
    check (kind in ('chat', 'onboarding', 'parse')) not valid;
