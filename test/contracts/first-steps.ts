import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { statements } from '../docs/shell.js';

const README = join(__dirname, '..', '..', 'README.md');

const HEAD = `#!/bin/sh
# The README's first steps, one after the other against a fresh service, each value taken from the answer before it.
# Made of README.md by \`npm run contracts\`. Do not edit.
#
#   npm start                                  # in another terminal; it prints the password
#   PASSWORD=… sh docs/first-steps.sh
#
# BASE is where the service is, DATA_DIR where it keeps its data: there it writes the codes that it would send by SMS.
set -eu
BASE=\${BASE:-http://localhost:3000}
DATA_DIR=\${DATA_DIR:-./data}
: "\${PASSWORD:?is what the first start of the service printed: PASSWORD=… sh docs/first-steps.sh}"

# ask STATUS TITLE ARGUMENTS_OF_CURL: shows the answer, and ends where its status is another.
ask() {
  expected=$1
  printf '> %s\\n' "$2"
  shift 2
  answered=$(curl -w '\\n%{http_code}' "$@") || {
    printf 'Nobody answers at %s. Is the service running? BASE=… names another address.\\n' "$BASE" >&2
    exit 1
  }
  ANSWER=$(printf '%s\\n' "$answered" | sed '$d')
  status=$(printf '%s\\n' "$answered" | tail -n 1)
  printf '< %s %s\\n' "$status" "$ANSWER"
  if [ "$status" != "$expected" ]; then
    printf '%s was expected. These steps are for a service that has not taken them before.\\n' "$expected" >&2
    exit 1
  fi
}

# take PATH: a value of the last answer.
take() {
  printf '%s' "$ANSWER" | node -p "JSON.parse(require('fs').readFileSync(0, 'utf8')).$1"
}
`;

/** Values that no answer holds, by the words of the README's comment. */
const ELSEWHERE: readonly (readonly [RegExp, string | undefined])[] = [
  // They come from outside.
  [/^printed at the first start/, undefined],
  [/^the six digits/, String.raw`$(take body | sed 's/[^0-9]*\([0-9]\{6\}\).*/\1/')`],
];

/** `docs/first-steps.sh`: what the README's first steps would have a reader type. */
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
  if (name !== undefined) return value === '…' ? assignment(name, comment, names) : [];
  if (/^tail -n 1 data\//.test(statement!)) {
    return [`ANSWER=$(${statement!.replace('data/', '"$DATA_DIR"/')})`];
  }
  return [request(statement!, comment)];
}

function request(statement: string, comment: string): string {
  const [, status] = /^(\d{3})\b/.exec(comment) ?? [];
  const [, path] = /^curl .*\$BASE([^\s"]*)/.exec(statement) ?? [];
  if (status === undefined || path === undefined) throw new Error(`No step: ${statement}`);
  const [, method = 'GET'] = / -X ([A-Z]+)/.exec(statement) ?? [];
  return `ask ${status} "${method} ${path}" ${quoted(statement.slice('curl '.length))}`;
}

function assignment(name: string, comment: string, names: string[]): string[] {
  const elsewhere = ELSEWHERE.find(([words]) => words.test(comment));
  if (elsewhere !== undefined) return elsewhere[1] === undefined ? [] : [`${name}=${elsewhere[1]}`];
  const [, path] = /^(data[.\w]*)/.exec(comment)!;
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
