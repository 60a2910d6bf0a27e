#!/usr/bin/env bash
# Runs the suites of `npm run test:servers` on the servers of docker-compose.yml beside this file. Then the suite of two
# processes runs once more, while the primary of MongoDB is killed.
set -euo pipefail
cd "$(dirname "$0")/../.."
compose() { docker compose --file test/servers/docker-compose.yml "$@"; }

npm run test:servers -- --runInBand

primary="$(compose exec -T mongodb-1 mongosh --quiet 'mongodb://127.0.0.1:27017,127.0.0.1:27018,127.0.0.1:27019/?replicaSet=rs0' \
  --eval 'db.hello().primary')"
member="mongodb-$(( ${primary##*:} - 27016 ))"
echo "The primary is $member. It ends in 10 s."
(sleep 10 && compose kill "$member") &
killing=$!
REQUIRE_SERVERS=1 npx jest --forceExit --runInBand test/system/servers/processes
wait "$killing" || { echo "FAILED: $member was not killed." >&2; exit 1; }
compose start "$member"
