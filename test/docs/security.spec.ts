import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readEnvironment } from '#kernel/environment/environment.js';
import { COMPANY_EVENT_TYPES } from '#domain/companies/core/company.events.js';
import { OPERATOR_EVENT_TYPES } from '#domain/operators/core/operator.events.js';
import { SECURITY_EVENTS } from '#web/security-log.js';

const ROOT = join(__dirname, '..', '..');
const read = (...path: string[]) => readFileSync(join(ROOT, ...path), 'utf8');
const text = read('SECURITY.md');
const named = (words: readonly string[], where: string) =>
  words.filter((word) => !where.includes(`\`${word}\``));

describe('SECURITY.md', () => {
  it('names every line of the log that is about security, as the operations do', () => {
    expect(named(SECURITY_EVENTS, text)).toEqual([]);
    expect(named(SECURITY_EVENTS, read('docs', 'operations.md'))).toEqual([]);
  });

  it('names every event of operators and of tokens', () => {
    const tokens = Object.keys(COMPANY_EVENT_TYPES).filter((type) => type.startsWith('ApiToken'));
    expect(named([...Object.keys(OPERATOR_EVENT_TYPES), ...tokens], text)).toEqual([]);
  });

  it('names every variable that production asks for', () => {
    let asked: string[] = [];
    try {
      readEnvironment({
        NODE_ENV: 'production',
        EVENTSTORE_URL: 'esdb://db.example',
        MONGODB_URL: 'mongodb://db.example',
      });
    } catch (error) {
      asked = (error as Error).message.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? [];
    }
    const production = text.slice(text.indexOf('## What production refuses'));
    const wanted = [...new Set(asked)].filter((name) => name !== 'NODE_ENV' && name !== 'MONGODB_URL');
    expect(wanted.length).toBeGreaterThanOrEqual(5);
    expect(wanted.filter((name) => !production.includes(name))).toEqual([]);
  });
});
