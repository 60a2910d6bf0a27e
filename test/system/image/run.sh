#!/usr/bin/env bash
# Builds the image and plays it: `bash test/system/image/run.sh`. Without a Docker Engine it measures what the image would hold,
# and says what did not run; REQUIRE_DOCKER=1 makes that a failure.
set -euo pipefail
cd "$(dirname "$0")/../../.."
MOST_MEGABYTES=90
work="$(mktemp -d)"
image=storage-access-image-test
trap 'rm -rf "$work"; clean' EXIT
clean() { :; }
say() { printf '== %s\n' "$1"; }
fail() { echo "FAILED: $1" >&2; exit 1; }

say 'what the image holds'
cp package.json package-lock.json .npmrc "$work"
(cd "$work" && npm ci --omit=dev --no-audit --no-fund --silent)
node scripts/slim-modules.mjs "$work/node_modules"
npm run --silent build 2>/dev/null
cp -r dist "$work/dist"
node "$work/dist/cli.js" --version
HOST=127.0.0.1 PORT=0 DATA_DIR="$work/data" OPERATOR_EMAIL=ada@example.com OPERATOR_PASSWORD='a password of the image test' \
  node "$work/dist/main.js" >"$work/log" 2>&1 &
service=$!
for _ in $(seq 60); do grep -q 'is listening on port' "$work/log" && break; sleep 1; done
port="$(sed -n 's/.*is listening on port \([0-9]*\).*/\1/p' "$work/log" | head -1)"
[ -n "$port" ] || fail "the slimmed service does not start: $(cat "$work/log")"
for path in /health/ready /docs /dashboard/sign-in /api/v2/openapi.json; do
  node -e 'fetch(process.argv[1]).then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))' "http://127.0.0.1:$port$path" || fail "$path of the slimmed service"
done
kill "$service" && wait "$service" || fail 'the slimmed service did not end well'
rm -rf "$work/data" "$work/log"
found="$(find "$work" -name '*.map' -o -path '*/dist/bench*' -o -path '*/dist/demo*' | head -1)"
[ -z "$found" ] || fail "$found has no place in the image"
size="$(du -sm "$work" | cut -f1)"
echo "$size MB above the base, of at most $MOST_MEGABYTES"
[ "$size" -le "$MOST_MEGABYTES" ] || fail 'the image is too large'

if ! docker info >/dev/null 2>&1; then
  echo 'Not run: everything that needs a Docker Engine, as none answers here (start, stop, second container, compose).'
  [ "${REQUIRE_DOCKER:-0}" = 1 ] && fail 'REQUIRE_DOCKER=1'
  exit 0
fi

clean() {
  docker rm --force "$image" >/dev/null 2>&1 || true
  docker volume rm --force "$image" "$image-other" >/dev/null 2>&1 || true
  compose_embedded down --volumes >/dev/null 2>&1 || true
  compose_servers down --volumes >/dev/null 2>&1 || true
  docker image rm --force "$image" >/dev/null 2>&1 || true
}
export KEY_MASTER_SECRET=0123456789abcdef0123456789abcdef OPERATOR_EMAIL=ada@example.com
export OPERATOR_PASSWORD='a password of the image test' SMS_PROVIDER=outbox PORT="${PORT:-3999}"
variables=(--env KEY_MASTER_SECRET --env OPERATOR_EMAIL --env OPERATOR_PASSWORD --env SMS_PROVIDER)
compose_embedded() { docker compose --project-name "$image-embedded" --file docker-compose.embedded.yml "$@"; }
compose_servers() { docker compose --project-name "$image-servers" --file docker-compose.yml "$@"; }
status_of() { docker inspect --format '{{.State.ExitCode}}' "$1"; }

say 'build, with and without BuildKit'
docker build --quiet --tag "$image" .
DOCKER_BUILDKIT=0 docker build --quiet --tag "$image" . || echo 'Not run: this engine has no builder without BuildKit.'
[ "$(docker run --rm "$image" storage-access --version)" = "$(node -p 'require("./package.json").version')" ] ||
  fail 'storage-access is not on the path'
docker run --rm "$image" sh -c '! command -v npm' || fail 'npm is in the image'

say 'SIGTERM during start, as process 1'
docker run --detach --name "$image" "${variables[@]}" --env MONGODB_ALLOW_INSECURE=true --env EVENTSTORE_ALLOW_INSECURE=true \
  --env EVENTSTORE_URL='esdb://192.0.2.1:2113?tls=false' --env MONGODB_URL=mongodb://192.0.2.1/storage_access "$image" >/dev/null
sleep 3
began=$SECONDS
docker stop --time 15 "$image" >/dev/null
[ "$(status_of "$image")" = 0 ] && [ $((SECONDS - began)) -lt 10 ] || fail 'SIGTERM during start'
docker rm "$image" >/dev/null

say 'a command in a second container'
docker run --detach --name "$image" "${variables[@]}" --volume "$image:/data" "$image" >/dev/null
ready='fetch("http://127.0.0.1:3000/health/ready").then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))'
for _ in $(seq 60); do docker exec "$image" node -e "$ready" && break; sleep 1; done
docker exec "$image" node -e "$ready" || fail 'the service is not ready after 60 s'
for command in 'audit verify' 'operators list' 'backup /tmp/copy'; do
  # The words of a command.
  # shellcheck disable=SC2086
  docker run --rm "${variables[@]}" --volume "$image:/data" "$image" storage-access $command >/dev/null || fail "$command"
done
docker exec "$image" storage-access audit verify
docker stop --time 15 "$image" >/dev/null
[ "$(status_of "$image")" = 0 ] || fail 'SIGTERM'
docker logs "$image" 2>&1 | grep -q '"route":"/health"' && fail 'a health check left a line'
docker rm "$image" >/dev/null

say 'a volume of another owner'
# An empty volume would take the owner of the image's folder again.
docker run --rm --user 0 --volume "$image-other:/data" "$image" sh -c 'touch /data/a-file && chown -R 0:0 /data && chmod 700 /data'
said="$(timeout 60 docker run --rm "${variables[@]}" --volume "$image-other:/data" "$image" 2>&1 || true)"
grep -q 'chown -R 1000' <<<"$said" || fail "no word of the owner: $said"

say 'a secret from a file'
echo "$KEY_MASTER_SECRET" > "$work/secret" && chmod 644 "$work/secret"
docker run --detach --name "$image" --env OPERATOR_EMAIL --env OPERATOR_PASSWORD --env SMS_PROVIDER \
  --env KEY_MASTER_SECRET_FILE=/secret --volume "$work/secret:/secret:ro" "$image" >/dev/null
for _ in $(seq 60); do docker exec "$image" node -e "$ready" && break; sleep 1; done
docker exec "$image" node -e "$ready" || fail "the secret was not read: $(docker logs "$image" 2>&1)"
docker rm --force "$image" >/dev/null

say 'compose: embedded'
compose_embedded up --build --detach --wait
compose_embedded exec -T service storage-access audit verify
compose_embedded run --rm service storage-access audit verify
(unset KEY_MASTER_SECRET OPERATOR_EMAIL OPERATOR_PASSWORD SMS_PROVIDER; compose_embedded logs >/dev/null && compose_embedded down --volumes)

say 'compose: the servers alone, then the service'
compose_servers up --detach --wait eventstore mongodb
compose_servers up --build --detach --wait
compose_servers exec -T service storage-access audit verify
compose_servers down --volumes
say 'done'
