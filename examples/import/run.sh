# The pack of ../own_table goes on with what comes.
export PYTHONPATH=../own_table
plainloop import langfuse traces.jsonl
plainloop show last
plainloop replay recorded
plainloop usage --by model
