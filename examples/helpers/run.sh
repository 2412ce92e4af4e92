# A scripted model in place of a real one says the same each time: pip install plainloop-wire
: >wire.txt
plainloop wire-server --port 0 --script model.json >wire.txt 2>&1 &
until url=$(grep -o 'http://127.0.0.1:[0-9]*' wire.txt | head -n 1) && [ -n "$url" ]; do
    kill -0 $! || { cat wire.txt && exit 1; }
    sleep 0.1
done
export AGENT_PROVIDER=anthropic AGENT_API_BASE=$url ANTHROPIC_API_KEY=any
plainloop ask "can I buy two teas?"
plainloop explain last | grep -E "calls ask|the helper|tool |says"
plainloop usage --by feature
plainloop replay recorded
kill $! && wait
