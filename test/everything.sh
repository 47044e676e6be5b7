#!/usr/bin/env bash
# npm run test:everything, as root on Debian: installs the programs that tests can use, runs all tests and long proofs,
# and lists what was still skipped. Takes a few hours.
set -uo pipefail
cd "$(dirname "$0")/.."

packages=(
  caddy curl docker-compose etcd-server firefox-esr gcc golang-go haproxy libc6-dev patroni pgbouncer php-cli postgresql-15
  prometheus python3 python3-etcd ruby shellcheck webkit2gtk-driver xvfb
)
scripts=(
  test test:slow test:crash test:faults test:failover test:generators test:histories test:mcp test:properties test:runtimes test:speed test:streams
  test:webhooks
)

log=$(mktemp)
trap 'rm -f "$log"' EXIT

apt-get update -qq
for package in "${packages[@]}"; do
  apt-get install -qq --no-install-recommends "$package" >/dev/null || echo "Not installed: $package" | tee -a "$log"
done

failed=()
for script in "${scripts[@]}"; do
  echo "npm run $script"
  npm run quality -- "$script" 2>&1 | tee -a "$log" | grep -aE '^ℹ (tests|pass|fail|skipped|duration)|^✖'
  [ "${PIPESTATUS[0]}" -eq 0 ] || failed+=("$script")
done

echo 'Not tested on this machine:'
grep -aE '^Not installed|﹣' "$log" | sort -u
[ ${#failed[@]} -eq 0 ] || { echo "Failed: ${failed[*]}"; exit 1; }
