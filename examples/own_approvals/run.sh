# The pack is that of ../own_table: delete_book has needs_approval=True.
export PYTHONPATH=../own_table AGENT_AUTH_JWT_SECRET=a-secret-of-at-least-thirty-two-bytes
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
call() {
    user=$1 path=$2 && shift 2
    curl -sN --retry 60 --retry-connrefused --retry-delay 1 "http://127.0.0.1:$port$path" \
        -H "x-user-id: $user" -H 'content-type: application/json' "$@"
}
ask() { call "$1" /chat/stream -d "{\"session_id\": \"s-1\", \"message\": \"$2\"}" | grep --line-buffered -E 'tool|approval|done'; }
ask ann "add a book: Momo"
: >deleting.txt
ask ann "delete book 1" >>deleting.txt &
deleting=$!
until id=$(grep -o '"id": "[^"]*' deleting.txt | cut -c8-) && [ -n "$id" ]; do sleep 0.1; done
call bob /approve -d "{\"id\": \"$id\", \"approve\": true}" && echo
call ann /approve -d "{\"id\": \"$id\", \"approve\": true}" && echo
wait $deleting && cat deleting.txt
call ann "/history?session_id=s-1" && echo
kill $adapter $served && wait
