# The pack is that of ../own_table. chat.html is the page; talk.py says the same to the same server.
export PYTHONPATH=../own_table AGENT_SERVER_ORIGINS=http://localhost:5173
: >served.txt
plainloop serve --port 0 >served.txt 2>&1 &
until url=$(grep -o 'http://127.0.0.1:[0-9]*' served.txt | head -n 1) && [ -n "$url" ]; do
    kill -0 $! || { cat served.txt && exit 1; }
    sleep 0.1
done
python3 talk.py "$url"
kill $! && wait
