# The pack is that of ../own_table: a count each working day at 07:30 in Berlin, said by the service.
export PYTHONPATH=../own_table
: >served.txt
plainloop serve --port 0 >served.txt 2>&1 &
until url=$(grep -o 'http://127.0.0.1:[0-9]*' served.txt | head -n 1) && [ -n "$url" ]; do
    kill -0 $! || { cat served.txt && exit 1; }
    sleep 0.1
done
python3 plan.py "$url"
kill $! && wait
