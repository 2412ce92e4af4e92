# The pack is that of ../own_table. Three talks, the same with another prompt, and the verdict.
export PYTHONPATH=../own_table
plainloop ask "add a book: The Castle"
plainloop ask "add a book: Momo"
plainloop ask "add a book: Emma"
plainloop replay live --prompts prompts --report report | sed -n 1,6p
plainloop gate rules.toml --candidate report || echo "exit code $?: undecided is not passed"
