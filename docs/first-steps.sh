#!/bin/sh
# The README's first steps, one after the other against a fresh service, each value taken from the answer before it.
# Made of README.md by `npm run contracts`. Do not edit.
#
#   npm start                                  # in another terminal; it prints the password
#   PASSWORD=… sh docs/first-steps.sh
#
# BASE is where the service is, DATA_DIR where it keeps its data: there it writes the codes that it would send by SMS.
# Once for each service: to take the steps again, start one with another, empty DATA_DIR.
set -eu
BASE=${BASE:-http://localhost:3000}
while [ "${BASE%/}" != "$BASE" ]; do BASE=${BASE%/}; done
DATA_DIR=${DATA_DIR:-./data}
: "${PASSWORD:?is what the first start of the service printed: PASSWORD=… sh docs/first-steps.sh}"

# end TEXT...: says what is wrong, and what mends it.
end() {
  printf '%s\n' "$@" >&2
  exit 1
}

[ -d "$DATA_DIR" ] || end "DATA_DIR=$DATA_DIR is no folder. Name the DATA_DIR that the service was started with, so that its codes can be read here."

# ask STATUS TITLE ARGUMENTS_OF_CURL: shows the answer, and ends where its status is another.
ask() {
  expected=$1
  title=$2
  printf '> %s\n' "$title"
  shift 2
  answered=$(curl -w '\n%{http_code}' "$@") ||
    end "Nobody answers at $BASE. Is the service running? BASE=… names another address."
  ANSWER=$(printf '%s\n' "$answered" | sed '$d')
  status=$(printf '%s\n' "$answered" | tail -n 1)
  printf '< %s %s\n' "$status" "$ANSWER"
  [ "$status" = "$expected" ] || refused
}

# refused: ends with what is likely to be wrong.
refused() {
  case "$status $title" in
  '401 POST /api/operator/sessions')
    end 'PASSWORD is not that of operator@localhost. The first start of the service printed it; to set another, start it once with' \
      '  OPERATOR_EMAIL=operator@localhost OPERATOR_PASSWORD=… npm start' ;;
  *' POST /api/operator/sessions')
    end "$expected was expected. Is it the service that answers at $BASE? BASE is its address without a path." ;;
  '422 POST /api/v2/auth/verify-otp')
    end "The last code in $DATA_DIR was not sent by the service at $BASE. DATA_DIR=… is the folder that it was started with." ;;
  *) end "$expected was expected." ;;
  esac
}

# once NAME: ends before anything is made where the steps have been taken, or begun.
once() {
  ask 200 "GET /api/operator/companies" -sS "$BASE/api/operator/companies" -H "Authorization: Bearer $OPERATOR"
  case "$ANSWER" in
  *"\"name\":\"$1\""*)
    end "These steps were taken here before: there is a company $1. To take them again, start a service of its own:" \
      '  PORT=3001 DATA_DIR=./data-2 npm start' \
      '  BASE=http://localhost:3001 DATA_DIR=./data-2 PASSWORD=… sh docs/first-steps.sh' ;;
  esac
}

# code FILE: what the service would have sent by SMS last.
code() {
  [ -r "$1" ] || end "There is no $1. DATA_DIR=… is the folder that the service was started with; where it sends its codes by SMS, these steps cannot read them."
  ANSWER=$(tail -n 1 "$1")
}

# take PATH: a value of the last answer.
take() {
  printf '%s' "$ANSWER" | node -p "JSON.parse(require('fs').readFileSync(0, 'utf8')).$1"
}

printf '\n== %s ==\n' 'The operator describes the place'
ask 201 "POST /api/operator/sessions" -sS -X POST "$BASE/api/operator/sessions" -H 'Content-Type: application/json' \
  -d '{ "email": "operator@localhost", "password": "'"$PASSWORD"'" }'
OPERATOR=$(take data.token)
once "Lakeside Storage"
ask 201 "POST /api/operator/companies" -sS -X POST "$BASE/api/operator/companies" -H "Authorization: Bearer $OPERATOR" \
  -H 'Content-Type: application/json' -d '{ "name": "Lakeside Storage" }'
COMPANY=$(take data.company_id)
ask 201 "POST /api/operator/companies/$COMPANY/api-tokens" -sS -X POST "$BASE/api/operator/companies/$COMPANY/api-tokens" -H "Authorization: Bearer $OPERATOR" \
  -H 'Content-Type: application/json' -d '{ "name": "PMS" }'
TOKEN=$(take data.token)
ask 201 "POST /api/operator/companies/$COMPANY/locations" -sS -X POST "$BASE/api/operator/companies/$COMPANY/locations" -H "Authorization: Bearer $OPERATOR" \
  -H 'Content-Type: application/json' \
  -d '{ "pms_location_code": "LAKE-ST", "name": "Lake Street", "timezone": "America/Chicago" }'
LOCATION=$(take data.location_id)

printf '\n== %s ==\n' 'The PMS writes facts'
ask 201 "PUT /api/v2/units/A-101/tenancy" -sS -X PUT "$BASE/api/v2/units/A-101/tenancy" -H "Authorization: Bearer $TOKEN" \
  -H 'Content-Type: application/json' -H 'Idempotency-Key: move-in A-101 2025-06-01' \
  -d '{ "pms_tenant_id": "T-17", "move_in_date": "2025-06-01", "unit_name": "A-101, ground floor" }'
UNIT=$(take data.unit_id)
ask 200 "PATCH /api/v2/units/A-101" -sS -X PATCH "$BASE/api/v2/units/A-101" -H "Authorization: Bearer $TOKEN" \
  -H 'Content-Type: application/json' -d '{ "balance_due": 189.00, "paid_through_date": "2025-06-30" }'
DENIED_AT=$(take data.applied_at)
ask 200 "GET /api/v2/units/A-101" -sS "$BASE/api/v2/units/A-101" -H "Authorization: Bearer $TOKEN"
ask 200 "PATCH /api/v2/units" -sS -X PATCH "$BASE/api/v2/units" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{ "units": [
  { "crm_unit_id": "A-101", "occupied": true, "move_in_date": "2025-06-01", "balance_due": 0,
    "tenant": { "pms_tenant_id": "T-17", "first_name": "Ada", "last_name": "Park", "phone": "+13125550100" } },
  { "crm_unit_id": "A-102", "occupied": false, "pms_unrentable": true },
  { "crm_unit_id": "A-103", "occupied": true, "pms_tenant_id": "T-18" } ] }'

printf '\n== %s ==\n' 'Locks, zones and gates'
ask 201 "POST /api/operator/locations/$LOCATION/locks" -sS -X POST "$BASE/api/operator/locations/$LOCATION/locks" -H "Authorization: Bearer $OPERATOR" \
  -H 'Content-Type: application/json' -d '{ "name": "A-101 door", "serial": "SN-0001" }'
LOCK=$(take data.lock_id)
ask 200 "PUT /api/operator/units/$UNIT/locks/$LOCK" -sS -X PUT "$BASE/api/operator/units/$UNIT/locks/$LOCK" -H "Authorization: Bearer $OPERATOR"
ask 201 "POST /api/operator/locations/$LOCATION/zones" -sS -X POST "$BASE/api/operator/locations/$LOCATION/zones" -H "Authorization: Bearer $OPERATOR" \
  -H 'Content-Type: application/json' -d '{ "name": "Building A" }'
ZONE=$(take data.zone_id)
ask 200 "PUT /api/operator/zones/$ZONE/units/$UNIT" -sS -X PUT "$BASE/api/operator/zones/$ZONE/units/$UNIT" -H "Authorization: Bearer $OPERATOR"
ask 201 "POST /api/operator/locations/$LOCATION/entry-points" -sS -X POST "$BASE/api/operator/locations/$LOCATION/entry-points" -H "Authorization: Bearer $OPERATOR" \
  -H 'Content-Type: application/json' \
  -d '{ "name": "North gate", "kind": "gate", "zone_ids": ["'"$ZONE"'"] }'

printf '\n== %s ==\n' 'The tenant'\''s app'
ask 200 "POST /api/v2/auth/phone" -sS -X POST "$BASE/api/v2/auth/phone" -H 'Content-Type: application/json' \
  -d '{ "country_code": "1", "phone_number": "3125550100" }'
code "$DATA_DIR"/sms-outbox.ndjson
OTP=$(take body | sed 's/[^0-9]*\([0-9]\{6\}\).*/\1/')
ask 200 "POST /api/v2/auth/verify-otp" -sS -X POST "$BASE/api/v2/auth/verify-otp" -H 'Content-Type: application/json' \
  -d '{ "country_code": "1", "phone_number": "3125550100", "otp": "'"$OTP"'" }'
TENANT=$(take data.token)
ask 200 "GET /api/v2/tenant/access" -sS "$BASE/api/v2/tenant/access" -H "Authorization: Bearer $TENANT"
ask 201 "POST /api/v2/locks/$LOCK/logs" -sS -X POST "$BASE/api/v2/locks/$LOCK/logs" -H "Authorization: Bearer $TENANT" \
  -H 'Content-Type: application/json' \
  -d '{ "event": "unlock", "result": "success", "client_log_id": "tap-1" }'
ask 200 "GET /api/v2/units/A-101/activity?limit=10" -sS "$BASE/api/v2/units/A-101/activity?limit=10" -H "Authorization: Bearer $TOKEN"

printf '\n== %s ==\n' 'The auditor'
ask 200 "GET /api/v2/units/A-101/history?limit=50" -sS "$BASE/api/v2/units/A-101/history?limit=50" -H "Authorization: Bearer $TOKEN"
ask 200 "GET /api/v2/units/A-101/as-of?at=$DENIED_AT" -sS "$BASE/api/v2/units/A-101/as-of?at=$DENIED_AT" -H "Authorization: Bearer $TOKEN"

printf '\nTo go on by hand:\n\nexport BASE=%s\nexport OPERATOR=%s\nexport COMPANY=%s\nexport TOKEN=%s\nexport LOCATION=%s\nexport UNIT=%s\nexport DENIED_AT=%s\nexport LOCK=%s\nexport ZONE=%s\nexport TENANT=%s\n' "$BASE" "$OPERATOR" "$COMPANY" "$TOKEN" "$LOCATION" "$UNIT" "$DENIED_AT" "$LOCK" "$ZONE" "$TENANT"
