import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ACCESS_POLICY_TABLE } from '../../src/access/index.js';

const DECISIONS = readFileSync(join(__dirname, '..', '..', 'docs', 'decisions.md'), 'utf8');

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
