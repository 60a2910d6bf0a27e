import Ajv from 'ajv/dist/2020.js';
import { FeedQuery } from '#api/history/feed.controller.js';
import { FED_TYPES } from '#domain/history/feed/event-feed.js';
import type { ApiError } from '#kernel/errors/api-error.js';
import type { Dto } from '#web/validation/decorators.js';
import { planOf } from '#web/validation/dto-plan.js';
import { validBody } from '#web/validation/check.js';
import { schemaOf } from '#web/openapi/dto-schema.js';
import { identifierRule, nameRule, textRule } from '#web/validation/rules.js';
import { NameBody, NewLockBody } from '#api/operator/facility.dto.js';
import { OverrideBody } from '#api/operator/units/operator-units.dto.js';

const ajv = new Ajv({ strict: false, validateFormats: false });
const LAST_CODE_POINT = 0x10ffff;
/** Halves of surrogate pairs and what is never seen: patterns leave them out, as dialects do not agree on what lies beyond the first plane. */
const LEFT_OUT = [
  [0xd800, 0xdfff],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
] as const;
const isLeftOut = (point: number) => LEFT_OUT.some(([first, last]) => point >= first && point <= last);

const RULES = { text: textRule(), name: nameRule(), identifier: identifierRule };
const TEXTS = [
  '.',
  '..',
  '...',
  '.a',
  '\ufe0f',
  ' \ufe0f',
  'a\ufe0f',
  'ulid:',
  'ulid:1',
  'ulid',
  'a ulid:',
  '',
  ' ',
  '🙂',
  'a\nb',
  'x'.repeat(256),
];

/** Every character of the planes that have characters of their own, and the ends of the others, where those lie that are none. */
function* codePoints(): Generator<number> {
  for (let point = 0; point <= LAST_CODE_POINT; point += 1) {
    const [plane, place] = [point >> 16, point & 0xffff];
    const isEnd = place < 0x100 || place >= 0xff00;
    if ((isEnd || plane < 2 || plane === 0xe) && !isLeftOut(point)) yield point;
  }
}

describe.each(Object.entries(RULES))('the schema of a rule of %s', (_name, rule) => {
  it('takes the characters that the rule takes, and no others', () => {
    const pattern = new RegExp(rule.schema.pattern!, 'u');
    const differing: string[] = [];
    for (const point of codePoints()) {
      const text = `a${String.fromCodePoint(point)}`;
      if (pattern.test(text) !== (rule(text) === undefined)) differing.push(point.toString(16));
    }
    expect(differing).toEqual([]);
  });

  it.each(TEXTS)('takes and refuses as the rule does: %j', (text) => {
    expect(ajv.validate(rule.schema, text)).toBe(rule(text) === undefined);
  });

  it('is read alike by those who do not read it as Unicode', () => {
    const pattern = new RegExp(rule.schema.pattern!);
    expect(['é🙂', 'a\u0085', 'a\nb'].map((text) => pattern.test(text))).toEqual([true, false, false]);
  });
});

function isTaken(dto: Dto, body: object): boolean {
  try {
    return validBody(planOf(dto), body) !== undefined;
  } catch {
    return false;
  }
}

describe.each<[string, Dto, (text: string) => object]>([
  ['name', NameBody, (name) => ({ name })],
  ['reason', OverrideBody, (reason) => ({ override: 'lockout', reason })],
])('the schema of a %s that operators give', (_name, dto, bodyOf) => {
  it('takes and refuses each character alone as the service does', () => {
    const validate = ajv.compile(schemaOf(dto));
    const differing: string[] = [];
    for (let point = 0; point <= 0xffff; point += 1) {
      if (isLeftOut(point)) continue;
      const body = bodyOf(String.fromCodePoint(point));
      if (validate(body) !== isTaken(dto, body)) differing.push(point.toString(16));
    }
    expect(differing).toEqual([]);
  });

  it.each([
    '',
    '   ',
    ' \u3000\u00a0',
    '\ufe0f',
    ' \ufe0fa',
    'a\ufe0f',
    ' a ',
    'a\u200bb',
    '\u200b \u2800',
    ' \n',
    'x'.repeat(256),
  ])('takes and refuses as the service does: %j', (text) => {
    expect(ajv.validate(schemaOf(dto), bodyOf(text))).toBe(isTaken(dto, bodyOf(text)));
  });
});

it.each([null, 'S-1', '\ufe0f', ''])(
  'the schema of a serial that may be null takes and refuses as the service does: %j',
  (serial) => {
    const body = { name: 'Door', serial };
    expect(ajv.validate(schemaOf(NewLockBody), body)).toBe(isTaken(NewLockBody, body));
  },
);

describe('the reason of an override', () => {
  const faultsOf = (reason: string) => {
    try {
      validBody(planOf(OverrideBody), { override: 'lockout', reason });
      return undefined;
    } catch (error) {
      return (error as ApiError).errors;
    }
  };

  it.each(['\u2800', '\u200b', ' \u00ad\u3164\u3000', '\ufe0f', '\u{e0061}', '\u{e0100}'])(
    'shows something: not %j',
    (reason) => expect(faultsOf(reason)).toEqual({ reason: ['The reason field is required.'] }),
  );

  it.each(['\u2800a', 'می\u200cرود', '🏠\ufe0f', '👩\u200d🔧', '.', '창고'])('may be %j', (reason) =>
    expect(faultsOf(reason)).toBeUndefined(),
  );
});

it('the schema of types of events takes those that are fed, between commas', () => {
  const [first, second] = FED_TYPES;
  const taken = [
    first,
    `${first},${second}`,
    FED_TYPES.join(','),
    '',
    `${first},`,
    `${first} `,
    'Nothing',
  ].map((types) => [ajv.validate(schemaOf(FeedQuery), { types }), isTaken(FeedQuery, { types: types! })]);
  expect(taken).toEqual([true, true, true, false, false, false, false].map((is) => [is, is]));
});
