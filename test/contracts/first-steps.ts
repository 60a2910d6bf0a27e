import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { statements } from '../docs/shell.js';

const README = join(__dirname, '..', '..', 'README.md');

const HEAD = `#!/bin/sh
# The README's first steps, one after the other against a fresh service, each value taken from the answer before it.
# Made of README.md by \`npm run contracts\`. Do not edit.
#
#   npm start                                  # in another terminal; it prints the password
#   PASSWORD=… sh first-steps.sh
#
# BASE is where the service is, DATA_DIR where it keeps its data: there it writes the codes that it would send by SMS.
# Once for each service: to take the steps again, start one with another, empty DATA_DIR.
set -eu
BASE=\${BASE:-http://localhost:3000}
while [ "\${BASE%/}" != "$BASE" ]; do BASE=\${BASE%/}; done
DATA_DIR=\${DATA_DIR:-./data}
: "\${PASSWORD:?is what the first start of the service printed: PASSWORD=… sh first-steps.sh}"

# end TEXT...: says what is wrong, and what mends it.
end() {
  printf '%s\\n' "$@" >&2
  exit 1
}

[ -d "$DATA_DIR" ] || end "DATA_DIR=$DATA_DIR is no folder. Name the DATA_DIR that the service was started with, so that its codes can be read here."

# ask STATUS TITLE ARGUMENTS_OF_CURL: shows the answer, and ends where its status is another.
ask() {
  expected=$1
  title=$2
  printf '> %s\\n' "$title"
  shift 2
  answered=$(curl -w '\\n%{http_code}' "$@") ||
    end "Nobody answers at $BASE. Is the service running? BASE=… names another address."
  ANSWER=$(printf '%s\\n' "$answered" | sed '$d')
  status=$(printf '%s\\n' "$answered" | tail -n 1)
  printf '< %s %s\\n' "$status" "$ANSWER"
  [ "$status" = "$expected" ] || refused
}

# refused: ends with what is likely to be wrong.
refused() {
  case "$status $title" in
  '401 POST /api/operator/sessions')
    end 'PASSWORD is not that of operator@localhost. The first start of the service printed it; to set another, start it once with' \\
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
  *"\\"name\\":\\"$1\\""*)
    end "These steps were taken here before: there is a company $1. To take them again, start a service of its own:" \\
      '  PORT=3001 DATA_DIR=./data-2 npm start' \\
      '  BASE=http://localhost:3001 DATA_DIR=./data-2 PASSWORD=… sh first-steps.sh' ;;
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
`;

const READ_CODE = [
  'code "$DATA_DIR/sms-outbox.ndjson"',
  String.raw`OTP=$(take body | sed 's/[^0-9]*\([0-9]\{6\}\).*/\1/')`,
];

/** `first-steps.sh`: what the README's first steps would have a reader type. */
export function firstSteps(readme = readFileSync(README, 'utf8')): string {
  const section = /\n## First steps\n([^]*?)\n## /.exec(readme)![1]!;
  const parts = section.matchAll(/^### (.+)$|^```bash\n([^]*?)\n```$/gm);
  const names: string[] = [];
  const lines = [...parts].flatMap(([, title, block]) =>
    title === undefined
      ? statements(block!).flatMap((source) => lineOf(source, names))
      : ['', `printf '\\n== %s ==\\n' '${title.replaceAll("'", "'\\''")}'`],
  );
  const told = ['BASE', ...names].map((name) => `export ${name}=%s\\n`).join('');
  const values = ['BASE', ...names].map((name) => `"$${name}"`).join(' ');
  const end = `\nprintf '\\nTo go on by hand:\\n\\n${told}' ${values}\n`;
  return `${HEAD}${lines.join('\n')}\n${end}`;
}

/** @throws Error for what the first steps never said before */
function lineOf(source: string, names: string[]): string[] {
  const [, statement, comment = ''] = /^([^]*?)(?:\s+#\s*([^\n']*))?$/.exec(source)!;
  const [, name, value] = /^export ([A-Z_]+)=(.*)$/.exec(statement!) ?? [];
  if (name !== undefined) return assignment(name, value!, names);
  if (statement!.startsWith('. ')) return [];
  return requests(statement!, comment);
}

/** A second run first asks for things that it would make twice. */
function requests(statement: string, comment: string): string[] {
  const [, status] = /^(\d{3})\b/.exec(comment) ?? [];
  const [, path] = /^curl .*\$BASE([^\s"]*)/.exec(statement) ?? [];
  if (status === undefined || path === undefined) throw new Error(`No step: ${statement}`);
  const [, method = 'GET'] = / -X ([A-Z]+)/.exec(statement) ?? [];
  const step = `ask ${status} "${method} ${path}" ${quoted(statement.slice('curl '.length))}`;
  const [, name] = /\/companies$/.test(path) ? (/"name": "([^"]+)"/.exec(statement) ?? []) : [];
  return name === undefined ? [step] : [`once "${name}"`, step];
}

/** The script has functions of its own for what `scripts/steps.sh` does. Its caller gives BASE and PASSWORD. */
function assignment(name: string, value: string, names: string[]): string[] {
  if (name === 'BASE' || name === 'PASSWORD') return [];
  if (value === '$(sms_code)') return READ_CODE;
  const [, path] = /^\$\(answer (data[.\w]*)\)$/.exec(value) ?? [];
  if (path === undefined) throw new Error(`No value: ${name}=${value}`);
  names.push(name);
  return [`${name}=$(take ${path})`];
}

/** A variable may hold spaces; what stood on a line of its own does again. */
function quoted(statement: string): string {
  return statement
    .replace(/'\$([A-Z_]+)'/g, `'"$$$1"'`)
    .replace(/ \$BASE(\S*)/g, ' "$BASE$1"')
    .replace(/ {2,}-/g, ' \\\n  -');
}
