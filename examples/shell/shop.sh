#!/bin/sh
# Starts a pet store, waits for its line, and tests something with curl. PETSTORE names the program.
set -eu

folder=$(mktemp -d)
mkfifo "$folder/ready"
# It ends by itself, should nobody stop it.
${PETSTORE:-npx petstore} sandbox --port 0 --json --seed empty --ttl 10m > "$folder/ready" &
petstore=$!
trap 'kill "$petstore" 2> /dev/null || true; wait "$petstore" 2> /dev/null || true; rm -rf "$folder"' EXIT

read -r line < "$folder/ready"
url=$(echo "$line" | sed 's/.*"url":"\([^"]*\)".*/\1/')
key="Authorization: Bearer $(echo "$line" | sed 's/.*"key":"\([^"]*\)".*/\1/')"

curl -sf -H "$key" -H 'Content-Type: application/json' -d '{"name":"Rex","categoryId":1}' "$url/pets" > /dev/null
curl -sf -H "$key" "$url/pets" | grep -q '"name":"Rex"'
echo "ok: Rex is in the shop"
