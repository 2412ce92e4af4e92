plainloop knowledge index               # what the pack ships
plainloop knowledge add uploads         # what a tenant adds
plainloop knowledge index               # again: only what changed
plainloop knowledge list
plainloop knowledge search "guests at lunch"
plainloop ask "search the documents, query: terrace"
plainloop knowledge measure questions.jsonl
