# The pack is that of ../own_table. Two replicas over one database; the first one is killed.
export PYTHONPATH=../own_table
start() {
    : >"$1.txt"
    plainloop serve --port 0 >"$1.txt" 2>&1 &
    until grep -q 'http://127.0.0.1:[0-9]*' "$1.txt"; do
        kill -0 $! || { cat "$1.txt" && exit 1; }
        sleep 0.1
    done
    url=$(grep -o 'http://127.0.0.1:[0-9]*' "$1.txt" | head -n 1)
}
start first && first_url=$url first=$!
start second && second_url=$url second=$!
python3 across.py "$first_url" "$second_url" $first
kill $second && wait
