import {
  dateRule,
  digitsRule,
  emailRule,
  flagRule,
  identifierRule,
  moneyRule,
  nameRule,
  nationalPhoneRule,
  numberRule,
  oneOfRule,
  phoneRule,
  textRule,
  timestampRule,
  typedPhoneRule,
  ulidRule,
  wholeRule,
} from '#web/validation/rules.js';
import type { FaultCode } from '#kernel/errors/field-fault.js';
import type { Rule } from '#web/validation/rules.js';

const pair = '🙂';
const control = 'must not contain control characters.';

const table: [name: string, rule: Rule, value: unknown, code: FaultCode | undefined, text?: string][] = [
  ['text', textRule(), '', undefined],
  ['text', textRule(), 'x'.repeat(255), undefined],
  ['text', textRule(), pair.repeat(255), undefined],
  ['text', textRule(), 'x'.repeat(256), 'too_long', 'must not be greater than 255 characters.'],
  ['text', textRule(), pair.repeat(256), 'too_long', 'must not be greater than 255 characters.'],
  ['text', textRule({ max: 1 }), 'xx', 'too_long', 'must not be greater than 1 character.'],
  ['text', textRule({ min: 1 }), '', 'too_short', 'must be at least 1 character.'],
  ['text', textRule({ min: 2 }), pair, 'too_short', 'must be at least 2 characters.'],
  ['text', textRule(), 1, 'type', 'must be a string.'],
  ['text', textRule(), null, 'type', 'must be a string.'],
  ['text', textRule(), ['x'], 'type', 'must be a string.'],
  ['text', textRule(), 'a\u0000b', 'format', control],
  ['text', textRule(), 'a\nb', 'format', control],
  ['text', textRule(), 'a\u0085b', 'format', control],
  ['text', textRule(), 'a\ud800b', 'format', 'must be valid Unicode text.'],
  ['text', textRule(), '\udc00', 'format', 'must be valid Unicode text.'],
  ['identifier', identifierRule, 'A 1/2#ü', undefined],
  ['identifier', identifierRule, pair.repeat(128), undefined],
  ['identifier', identifierRule, '', 'too_short', 'must be between 1 and 128 characters.'],
  ['identifier', identifierRule, 'x'.repeat(129), 'too_long', 'must be between 1 and 128 characters.'],
  ['identifier', identifierRule, 'ulid:01', 'format', 'must not begin with ulid:.'],
  ['identifier', identifierRule, 'ULID:01', undefined],
  ['identifier', identifierRule, 'a\u007f', 'format', control],
  ['identifier', identifierRule, 17, 'type', 'must be a string.'],
  ['flag', flagRule, false, undefined],
  ['flag', flagRule, 0, 'type', 'must be true or false.'],
  ['flag', flagRule, 'true', 'type', 'must be true or false.'],
  ['money', moneyRule, 0, undefined],
  ['money', moneyRule, -0, undefined],
  ['money', moneyRule, 0.1, undefined],
  ['money', moneyRule, 1.005, 'format', 'must have at most 2 decimal places.'],
  ['money', moneyRule, 0.1 + 0.2, 'format', 'must have at most 2 decimal places.'],
  ['money', moneyRule, 1e-7, 'format', 'must have at most 2 decimal places.'],
  ['money', moneyRule, 9_999_999_999.99, undefined],
  ['money', moneyRule, -9_999_999_999.99, undefined],
  ['money', moneyRule, 10_000_000_000, 'out_of_range', 'must be between -9999999999.99 and 9999999999.99.'],
  ['money', moneyRule, Infinity, 'type', 'must be a number.'],
  ['money', moneyRule, NaN, 'type', 'must be a number.'],
  ['money', moneyRule, '1.00', 'type', 'must be a number.'],
  ['whole', wholeRule({ min: 0, max: 100 }), 100, undefined],
  ['whole', wholeRule({ min: 0, max: 100 }), 101, 'out_of_range', 'must be between 0 and 100.'],
  ['whole', wholeRule({ min: 0, max: 100 }), 1.5, 'type', 'must be a whole number.'],
  ['number', numberRule({ min: 0, max: 100 }), 99.5, undefined],
  ['number', numberRule({ min: 0, max: 100 }), -1, 'out_of_range', 'must be between 0 and 100.'],
  ['number', numberRule({ min: 0, max: 100 }), '1', 'type', 'must be a number.'],
  ['one of', oneOfRule(['gate', 'door']), 'gate', undefined],
  ['one of', oneOfRule(['gate', 'door']), 'Gate', 'unknown_value', 'must be one of gate, door.'],
  ['digits', digitsRule({ min: 7, max: 15 }), '5551234', undefined],
  ['digits', digitsRule({ min: 7, max: 15 }), '555123', 'format', 'must be 7 to 15 digits.'],
  ['digits', digitsRule({ min: 6, max: 6 }), '٠٠٠٠٠٠', 'format', 'must be 6 digits.'],
  ['digits', digitsRule({ min: 6, max: 6 }), 123456, 'type', 'must be a string.'],
  ['ulid', ulidRule, '01ARZ3NDEKTSV4RRFFQ69G5FAV', undefined],
  ['ulid', ulidRule, '01arz3ndektsv4rrffq69g5fav', 'format', 'must be a 26-character identifier.'],
  ['email', emailRule, 'ada@example.com', undefined],
  ['email', emailRule, 'ada@', 'format', 'must be a valid email address.'],
  ['email', emailRule, 'a..da@example.com', 'format', 'must be a valid email address.'],
  ['email', emailRule, 'ada@example..com', 'format', 'must be a valid email address.'],
  ['email', emailRule, 'größe@example.com', undefined],
  ['email', emailRule, 'a\u200bda@example.com', 'format', 'must be a valid email address.'],
  ['email', emailRule, 'a\u00adda@example.com', 'format', 'must be a valid email address.'],
  ['email', emailRule, 'a\ud800da@example.com', 'format', 'must be a valid email address.'],
  ['email', emailRule, null, 'type', 'must be a string.'],
  ['phone', phoneRule, '+15551234567', undefined],
  [
    'phone',
    phoneRule,
    '15551234567',
    'format',
    'must be a valid phone number in international format, such as +13125550100.',
  ],
  [
    'phone',
    phoneRule,
    '+05551234567',
    'format',
    'must be a valid phone number in international format, such as +13125550100.',
  ],
  [
    'phone',
    phoneRule,
    '+1 555 1234567',
    'format',
    'must be a valid phone number in international format, such as +13125550100.',
  ],
  ['typed phone', typedPhoneRule, '(312) 555-0100', undefined],
  ['typed phone', typedPhoneRule, '011 44 20 7946 0000', undefined],
  ['typed phone', typedPhoneRule, '+13125550100', undefined],
  [
    'typed phone',
    typedPhoneRule,
    '555-0100',
    'format',
    'must be a valid phone number, like (312) 555-0100, or +44 20 7946 0000.',
  ],
  [
    'typed phone',
    typedPhoneRule,
    '+1',
    'format',
    'must be a valid phone number, like (312) 555-0100, or +44 20 7946 0000.',
  ],
  ['typed phone', typedPhoneRule, 3125550100, 'type', 'must be a string.'],
  ['national phone', nationalPhoneRule, '3125550100', undefined],
  ['national phone', nationalPhoneRule, '(312) 555-0100', undefined],
  ['national phone', nationalPhoneRule, '+44 20 7946 0000', undefined],
  [
    'national phone',
    nationalPhoneRule,
    '555-010',
    'format',
    'must be a valid phone number, like (312) 555-0100, or +44 20 7946 0000.',
  ],
  [
    'national phone',
    nationalPhoneRule,
    '31255CALLME',
    'format',
    'must be a valid phone number, like (312) 555-0100, or +44 20 7946 0000.',
  ],
  ['national phone', nationalPhoneRule, 3125550100, 'type', 'must be a string.'],
  ['date', dateRule, '2026-02-30', 'format', 'must be a valid date in the format YYYY-MM-DD.'],
  [
    'timestamp',
    timestampRule,
    '2026-02-30T00:00:00Z',
    'format',
    'must be a valid ISO 8601 timestamp with a time zone.',
  ],
  [
    'timestamp',
    timestampRule,
    '2025-06-01T10:00:00 00:00',
    'format',
    'must be a valid ISO 8601 timestamp with a time zone. Encode its + as %2B.',
  ],
];

const INVISIBLE = { code: 'format', text: 'must not contain invisible characters.' };

const named = (character: string): [string, string] => [character.codePointAt(0)!.toString(16), character];

/** What Unicode says is not to be shown where it has no effect, but for what changes the character before it. */
const IGNORABLE = /(?!\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/u;
const ignorable = Array.from({ length: 0x110000 }, (_, point) => String.fromCodePoint(point)).filter((one) =>
  IGNORABLE.test(one),
);
const HIDDEN = [...'\u2028\u2029\u2800\ufff9\ufffa\ufffb'].map(named);

describe.each([
  ['a name', nameRule()],
  ['an identifier', identifierRule],
])('%s', (_name, rule) => {
  it.each(HIDDEN)('does not hide U+%s', (_point, character) => {
    expect(rule(`A${character}1`)).toEqual(INVISIBLE);
  });

  it('hides nothing that is ignorable', () => {
    const taken = ignorable.filter((one) => rule(`A${one}1`)?.text !== INVISIBLE.text);
    expect([ignorable.length > 3_000, taken.map(named)]).toEqual([true, []]);
  });

  it.each(['\ufe0f', '\ufe0fA', 'A \ufe00', '\u180b', '\u{e0100}', '\u17b4', '\ufffb'])(
    'is more than %j',
    (text) => {
      expect(rule(text)).toEqual(INVISIBLE);
    },
  );

  it.each(['A 1–2', 'Größe', 'دفتر', '창고', '🏠️', '☀\ufe0f A', '1\ufe0f\u20e3', '葛\u{e0100}', '𠀀'])(
    'may be %s',
    (text) => {
      expect(rule(text)).toBeUndefined();
    },
  );
});

describe('rules', () => {
  // The default keeps the function at four parameters: to a fifth, a row of four would give a callback to wait for.
  it.each(table)('%s %#', (_name, rule, value, code, text = '') => {
    expect(rule(value)).toEqual(code && { code, text });
  });
});

it.each([
  '+13125550100',
  '(312) 555-0100',
  '1-312-555-0100',
  ' 011 44 20 7946 0000 ',
  '0044 20 7946 0000',
  '+',
  '011',
  '1 312 555 010',
  '112-555-0100',
  '312-555-0100 x12',
  '+0 312 555 0100',
  '+1 234 567 890 123 456 789',
  '(+1) 312 555 0100',
  '2 312 555 0100',
])('the pattern that the API describes takes %j as the rule does', (typed) => {
  expect(new RegExp(typedPhoneRule.schema.pattern!).test(typed)).toBe(typedPhoneRule(typed) === undefined);
});
