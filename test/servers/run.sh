#!/bin/sh
# Every suite that needs a server: `npm run test:servers`. Runs against TEST_EVENTSTORE_URL and TEST_MONGODB_URL where
# they are set, otherwise against the double of EventStoreDB and the stand-in of MongoDB, which is fetched when missing
# (Java 17 and Maven). A server that is missing is a failure, unless REQUIRE_SERVERS=0.
set -eu
cd "$(dirname "$0")/../.."
if [ -z "${TEST_MONGODB_URL:-}" ] && [ ! -e test/servers/mongo/target/classes/Starter.class ]; then
  if command -v mvn > /dev/null && command -v javac > /dev/null; then
    sh test/servers/mongo/prepare.sh
  else
    echo 'Java 17 or Maven is missing: the MongoDB stand-in cannot be fetched.' >&2
  fi
fi
# Node 20 was seen to spin for ever as it took down what HTTP/2 had left, after all had passed and nothing was open:
# hence --forceExit.
REQUIRE_SERVERS="${REQUIRE_SERVERS:-1}" exec npx jest --forceExit '\.int\.spec\.ts$' test/stores/eventstoredb test/servers "$@"
