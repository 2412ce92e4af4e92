# `plainloop export --recording -o talks.jsonl` writes such a file of your own threads, with prompts.
plainloop replay recorded --from talks.jsonl
