import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ACCESS_POLICY_TABLE } from '#domain/access/index.js';

const ROOT = join(__dirname, '..', '..');
const DECISIONS = readFileSync(join(ROOT, 'docs', 'decisions.md'), 'utf8');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

it('docs/decisions.md gives the decision table as it decides', () => {
  const rows = [...DECISIONS.matchAll(/^\|\s+(\d+) \| .+ \| `(\w+)`\s*\| (?:`(\w+)`|null)\s*\|$/gm)];
  expect(
    rows.map(([, number, state, reason]) => ({ number: Number(number), state, reason: reason ?? null })),
  ).toEqual(
    ACCESS_POLICY_TABLE.checks.map(({ state, reason }, position) => ({
      number: position + 1,
      state,
      reason,
    })),
  );
});

it('the README shows the checks that the demo prints in the order in which they decide', () => {
  const shown = [...README.matchAll(/^\d+ {2}(\w+) +(?:no|YES) /gm)].map(([, name]) => name);
  expect(shown.length).toBeGreaterThan(5);
  expect(shown).toEqual(ACCESS_POLICY_TABLE.checks.slice(0, shown.length).map(({ name }) => name));
});
