import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WARNING_MESSAGES } from '#domain/units/core/unit.warnings.js';

const PAGE = join(__dirname, '..', '..', 'docs', 'guides', 'life-of-a-tenancy.md');

it('the life of a tenancy explains every warning, and no other', () => {
  const section = readFileSync(PAGE, 'utf8').split('## What a warning means')[1]!;
  const explained = [...section.matchAll(/^\| `(?!code`)(\w+)` /gm)].map(([, code]) => code);
  const given = Object.keys(WARNING_MESSAGES);
  expect(explained.sort()).toEqual(given.sort());
});
