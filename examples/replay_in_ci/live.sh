# At most 50 cents. Undecided (10) does not stop a push: two talks prove nothing.
set -e
plainloop replay live --from talks.jsonl --prompts prompts --max-cost-usd 0.5 --report live
plainloop gate rules.toml --candidate live || [ $? = 10 ]
