# The pack is that of ../own_table. The old frontend's requests, answered in its own shapes.
export PYTHONPATH=../own_table
: >served.txt
plainloop serve --port 0 >served.txt 2>&1 &
served=$!
until url=$(grep -o 'http://127.0.0.1:[0-9]*' served.txt | head -n 1) && [ -n "$url" ]; do
    kill -0 $served || { cat served.txt && exit 1; }
    sleep 0.1
done
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
python3 adapter.py "$url" "$port" &
adapter=$!
ask() {
    curl -sN --retry 60 --retry-connrefused --retry-delay 1 "http://127.0.0.1:$port/chat/stream" \
        -H 'content-type: application/json' -d "{\"session_id\": \"s-1\", \"message\": \"$1\"}"
}
ask "add a book: Momo" | grep -v '^$' | grep -v token
ask "how many books do I have?" | grep -v '^$'
kill $adapter $served && wait
