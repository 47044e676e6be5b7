#!/bin/sh
# Replaces the instances of compose.yaml one after the other, so that no request fails. After "docker compose build" it brings
# the new image into service. It stops at an instance that does not come up, and the other goes on serving.
set -eu
cd "$(dirname "$0")"

proxy() { docker compose exec -T proxy sh -c "echo '$1' | nc 127.0.0.1 9999"; }

instance=''
trap '[ -z "$instance" ] || proxy "set server petstore/$instance state ready"' EXIT

for instance in petstore-a petstore-b; do
  # The proxy must know first. An instance that is told to stop refuses what still arrives on open connections, and a create
  # without an Idempotency-Key must not be sent a second time.
  proxy "set server petstore/$instance state drain"
  sleep 1
  docker compose up --detach --no-deps --force-recreate --wait "$instance"
  proxy "set server petstore/$instance state ready"
  # Until the proxy has found its new address and seen it ready.
  tries=0
  until proxy 'show servers state petstore' | grep -q " $instance [0-9.]* 2 "; do
    tries=$((tries + 1))
    if [ "$tries" -eq 60 ]; then
      echo "rolling-restart.sh: the proxy does not find $instance ready." >&2
      exit 1
    fi
    sleep 0.5
  done
done
