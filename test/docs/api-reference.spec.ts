import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UNIT_WARNING_MESSAGES } from '../../src/push/unit-write-warnings.js';
import { WARNING_MESSAGES } from '../../src/access/core/warnings.js';
import { INVISIBLE } from '../../src/http/validation/text-patterns.js';
import { compileValidator, ERRORS, type FieldErrors } from '../../src/http/index.js';
import { BulkEntry, TenantBody } from '../../src/push/index.js';
import { VACANT_FACTS } from '../../src/units/index.js';
import { routesOf } from '../isolation/support/routes.js';
import { type RunningApplication, startApplication } from '../isolation/support/running-application.js';
import { ApiReference, type DocumentedField, shapeOf } from './api-reference.js';
import { type RouteInput, routeInputs } from './route-inputs.js';

const ROOT = join(__dirname, '..', '..');
const MARKDOWN = readFileSync(join(ROOT, 'docs', 'api.md'), 'utf8');
const reference = new ApiReference(MARKDOWN);
const endpoints = reference.endpoints();

const WHO = { api_token: 'API token', tenant: 'tenant' } as const;

/** Messages that no route gives yet. */
const UNUSED = ['Not implemented.', 'must be an object of strings.'];

/** Sources that a client's request can reach. */
const sources = (readdirSync(join(ROOT, 'src'), { recursive: true }) as string[])
  .filter((file) =>
    /^(http|push|pull|operator|tenants|locks|history|access|units|companies|locations)\/.*\.ts$/.test(file),
  )
  .map((file) => readFileSync(join(ROOT, 'src', file), 'utf8'));

const texts = (pattern: RegExp) => [
  ...new Set(sources.flatMap((source) => [...source.matchAll(pattern)].map(([, text]) => text!))),
];

/** Where a table of fields is wrong about what a validator wants. */
function faultsOf(fields: readonly DocumentedField[], check: (body: object) => FieldErrors): string[] {
  return fields.flatMap(({ name, required, nullable }) => {
    const isRequired = check({})[name]?.[0]?.endsWith('field is required.') ?? false;
    const isNullable = !(name in check({ [name]: null }));
    return [
      ...(isRequired === (required === 'yes') ? [] : [`${name}: required is ${isRequired}`]),
      ...(isNullable === (nullable === 'yes') ? [] : [`${name}: null is ${isNullable}`]),
    ];
  });
}

describe('the API reference', () => {
  let running: RunningApplication;
  let inputs: Map<string, RouteInput>;

  beforeAll(async () => {
    running = await startApplication();
    inputs = routeInputs(running.application);
  });
  afterAll(() => running.close());

  it('names every route that there is, once, and no other', () => {
    const { routes, notImplemented, bare } = routesOf(running.application);
    const named = [...routes, ...notImplemented].map(({ name }) => name);
    const actual = [...named, ...bare].map(shapeOf);
    expect(endpoints.map(({ name }) => name).sort()).toEqual(actual.sort());
  });

  it('tells who may call each', () => {
    const { routes, notImplemented } = routesOf(running.application);
    const actual = [...routes, ...notImplemented].map(({ name, admitted, role }) => [
      shapeOf(name),
      admitted.length === 0 ? ['anyone'] : admitted.map((kind) => (kind === 'operator' ? role : WHO[kind])),
    ]);
    const told = Object.fromEntries(endpoints.map(({ name, who }) => [name, who]));
    expect(told).toEqual(Object.fromEntries(actual));
  });

  it('has every field of every body, and says rightly whether it must be there and may be null', () => {
    const faults = endpoints.flatMap(({ name, body }) => {
      const input = inputs.get(name)!;
      const actual = input.bodyFields() ?? [];
      // The bulk reads its body itself: see the next test.
      if (body === 'bulk') return [];
      const fields = body === undefined ? [] : reference.fields(body);
      const told = fields.map((field) => field.name);
      const same = JSON.stringify([...told].sort()) === JSON.stringify([...actual].sort());
      if (!same) return [`${name}: told ${told.join(', ')}; takes ${actual.join(', ')}`];
      return faultsOf(fields, (given) => input.bodyErrors(given)).map((fault) => `${name}: ${fault}`);
    });
    expect(faults).toEqual([]);
  });

  it('tells the status of success of each', () => {
    const faults = endpoints.filter(
      ({ name, statuses }) => !statuses.includes(501) && !statuses.includes(inputs.get(name)!.status),
    );
    expect(faults).toEqual([]);
  });

  it.each([
    ['bulk-entry', BulkEntry],
    ['bulk-tenant', TenantBody],
  ])('has every field of %s', (anchor, dto) => {
    const fields = reference.fields(anchor);
    const validator = compileValidator(dto);
    expect(fields.map(({ name }) => name).sort()).toEqual(validator.fields.map(({ name }) => name).sort());
    expect(faultsOf(fields, (given) => validator.check(given) ?? {})).toEqual([]);
  });

  it('has every query parameter, with its rule', () => {
    const candidates = texts(/^\s*(?:@.*\) )?(?:readonly )?(\w+)[?!]: /gm);
    for (const { name, query } of endpoints) {
      const actual = inputs.get(name)!.queryParameters(candidates);
      expect([name, [...query].sort()]).toEqual([name, actual.sort()]);
      expect(reference.namesIn('Query parameters')).toEqual(expect.arrayContaining(actual));
    }
  });

  it('has every fact and every warning', () => {
    expect(reference.namesIn('Facts').sort()).toEqual(Object.keys(VACANT_FACTS).sort());
    expect(reference.namesIn('Warnings').sort()).toEqual(
      [...Object.keys(WARNING_MESSAGES), ...Object.keys(UNIT_WARNING_MESSAGES)].sort(),
    );
  });

  it('has every message of an error', () => {
    const thrown = texts(
      /(?:badRequest|forbidden|notFound|conflict|unprocessable|serviceUnavailable|ApiError)\([^'`)]*'([^']+\.)'/g,
    );
    const sentences = texts(
      /'((?:The (?:selected|tenant rents|\w+(?: \w+)* has already)|A tenant with) [^']+\.)'/g,
    );
    const ends = texts(/'(?:The (?:\w+ )+field )?((?:must|is|cannot|has a) [^'$]+\.)'/g);
    expect([thrown.length, sentences.length, ends.length].map((count) => count > 5)).toEqual([
      true,
      true,
      true,
    ]);
    const told = (text: string) => MARKDOWN.includes(`\`${text}\``);
    const covered = (text: string) => told(text) || told(text.replace(/-?\d[\d.]*(?=[ .])/g, '…'));
    const missing = [...thrown, ...sentences, ...ends].filter((text) => !covered(text));
    expect(missing.filter((text) => !UNUSED.includes(text))).toEqual([]);
  });

  it('has every code of an error, with its status and its message', () => {
    const told = Object.entries(ERRORS).filter(([code, { status, message }]) =>
      MARKDOWN.split('\n').some((line) =>
        [`|    ${status} |`, `\`${code}\``, `\`${message}\``].every((part) => line.includes(part)),
      ),
    );
    expect(told.map(([code]) => code)).toEqual(Object.keys(ERRORS));
  });
});

it('lists the invisible characters that names may not hold, and no others', () => {
  const [paragraph] = /hold no invisible characters either:[^]*?\n\n/.exec(MARKDOWN)!;
  const ranges = [...paragraph.matchAll(/U\+([0-9A-F]+)(?:\s+to\s+U\+([0-9A-F]+))?/g)].map(
    ([, first, last = first]) => [parseInt(first!, 16), parseInt(last!, 16)] as const,
  );
  const listed = ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  );
  const refused = Array.from({ length: 0x110000 }, (_, code) => code).filter((code) =>
    INVISIBLE.test(String.fromCodePoint(code)),
  );
  expect(listed.sort((one, other) => one - other)).toEqual(refused);
});
