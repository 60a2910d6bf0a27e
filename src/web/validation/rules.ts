import { isEmail } from 'class-validator';
import { isObject } from '#kernel/core/is-object.js';
import { internationalPhone } from '#kernel/core/phone.js';
import { isCalendarDate } from '#kernel/calendar-date.js';
import { INVISIBLE, LOST_SELECTOR, TEXT, VISIBLE_TEXT } from './text-patterns.js';
import type { Fault } from '#kernel/errors/field-fault.js';
import type { JsonSchema } from './json-schema.js';
import { LARGEST_AMOUNT, hasWholeCents } from '#kernel/money.js';
import { parseTimestamp } from '#kernel/timestamp.js';

/** Returns the fault of a value; undefined for a valid value. */
export type ValueCheck = (value: unknown) => Fault | undefined;

/** The check of a value, with its schema for the API's description. */
export interface Rule extends ValueCheck {
  /**
   * The rule in JSON Schema. E-mail addresses, URLs, time zones, dates and instants have only a format, because a pattern
   * would be too long. A query parameter of type `number`, `integer` or `boolean` is converted from its text.
   */
  readonly schema: JsonSchema;
  /** A valid value as handlers get it. Absent: as it was sent. */
  readonly read?: (value: string) => string;
}

export function rule(schema: JsonSchema, check: ValueCheck, read?: Rule['read']): Rule {
  return Object.assign(check, { schema, ...(read && { read }) });
}

/** The fault of a text with a wrong form. A value of another type has the same message. */
export function notOfForm(value: unknown, text: string): Fault {
  return { code: typeof value === 'string' ? 'format' : 'type', text };
}

const CONTROL = /\p{Cc}/u;
const LONE_SURROGATE = /\p{Cs}/u;

/** Length in Unicode code points, which does not depend on the encoding. */
export function codePoints(text: string): number {
  return text.replaceAll(/[\ud800-\udbff][\udc00-\udfff]/g, '.').length;
}

/** Whether a text is longer than `max` code points. Counts them only if the UTF-16 length is not enough to decide. */
function isLonger(text: string, max: number): boolean {
  return text.length > max && codePoints(text) > max;
}

/** Refuses control characters and text that is not valid Unicode. */
function characterFault(text: string): Fault | undefined {
  if (CONTROL.test(text)) return { code: 'format', text: 'must not contain control characters.' };
  if (LONE_SURROGATE.test(text)) return { code: 'format', text: 'must be valid Unicode text.' };
  return undefined;
}

const LONE_SURROGATES = /\p{Cs}/gu;

/** Replaces halves of surrogate pairs, which some readers of JSON refuse. */
export function wellFormed(text: string): string {
  return text.replaceAll(LONE_SURROGATES, '\ufffd');
}

/** "1 character", "2 characters". */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** The default limit of texts, in characters (decisions §2). */
export const LONGEST_TEXT = 255;
const LONGEST_IDENTIFIER = 128;
const NOT_TEXT: Fault = { code: 'type', text: 'must be a string.' };
const NO_NUMBER: Fault = { code: 'type', text: 'must be a number.' };
export const NO_OBJECT: Fault = { code: 'type', text: 'must be an object.' };

export interface TextLimits {
  /** Code points; 255 when absent. */
  readonly max?: number;
  /** Code points; 0 when absent. */
  readonly min?: number;
}

export function textRule({ max = LONGEST_TEXT, min = 0 }: TextLimits = {}): Rule {
  return rule({ ...textSchema(min, max), pattern: TEXT }, (value) => {
    if (typeof value !== 'string') return NOT_TEXT;
    if (isLonger(value, max))
      return { code: 'too_long', text: `must not be greater than ${count(max, 'character')}.` };
    if (value.length < min || (min > 1 && codePoints(value) < min))
      return { code: 'too_short', text: `must be at least ${count(min, 'character')}.` };
    return characterFault(value);
  });
}

function textSchema(minLength: number, maxLength: number) {
  return minLength === 0 ? { type: 'string', maxLength } : { type: 'string', minLength, maxLength };
}

/** A name for people. Invisible characters are refused, because two names must not look the same. */
export function nameRule(limits: TextLimits = {}): Rule {
  const text = textRule({ min: 1, ...limits });
  const schema = { ...text.schema, pattern: VISIBLE_TEXT, not: { type: 'string', pattern: LOST_SELECTOR } };
  return rule(schema, (value) => text(value) ?? invisibleFault(value as string));
}

function invisibleFault(text: string): Fault | undefined {
  return INVISIBLE.test(text)
    ? { code: 'format', text: 'must not contain invisible characters.' }
    : undefined;
}

const IDENTIFIER = {
  ...textSchema(1, LONGEST_IDENTIFIER),
  pattern: VISIBLE_TEXT,
  not: { type: 'string', pattern: `^(ulid:|\\.{1,2}$)|${LOST_SELECTOR}` },
};

/**
 * A unit's `crm_unit_id`: any text without the prefix `ulid:` of path keys (decisions §2, §3). It is also the unit's name if
 * there is no other.
 */
export const identifierRule: Rule = rule(IDENTIFIER, (value) => {
  if (typeof value !== 'string') return NOT_TEXT;
  if (value.length === 0 || isLonger(value, LONGEST_IDENTIFIER)) {
    const code = value.length === 0 ? 'too_short' : 'too_long';
    return { code, text: `must be between 1 and ${LONGEST_IDENTIFIER} characters.` };
  }
  if (value.startsWith('ulid:')) return { code: 'format', text: 'must not begin with ulid:.' };
  // HTTP clients remove such a segment from a path before they send it.
  if (value === '.' || value === '..') return { code: 'format', text: 'must not be a relative path.' };
  return characterFault(value) ?? invisibleFault(value);
});

export const flagRule: Rule = rule({ type: 'boolean' }, (value) =>
  typeof value === 'boolean' ? undefined : { code: 'type', text: 'must be true or false.' },
);

const MONEY = { type: 'number', minimum: -LARGEST_AMOUNT, maximum: LARGEST_AMOUNT };

/** A decimal amount. JSON Schema cannot express the limit of 2 places for binary numbers. */
export const moneyRule: Rule = rule(MONEY, (value) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) return NO_NUMBER;
  if (Math.abs(value) > LARGEST_AMOUNT) return outOfRange(-LARGEST_AMOUNT, LARGEST_AMOUNT);
  return hasWholeCents(value) ? undefined : { code: 'format', text: 'must have at most 2 decimal places.' };
});

function outOfRange(min: number, max: number): Fault {
  return { code: 'out_of_range', text: `must be between ${min} and ${max}.` };
}

export function wholeRule({ min, max }: { readonly min: number; readonly max: number }): Rule {
  return rule({ type: 'integer', minimum: min, maximum: max }, (value) => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value))
      return { code: 'type', text: 'must be a whole number.' };
    return value >= min && value <= max ? undefined : outOfRange(min, max);
  });
}

export function numberRule({ min, max }: { readonly min: number; readonly max: number }): Rule {
  return rule({ type: 'number', minimum: min, maximum: max }, (value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return NO_NUMBER;
    return value >= min && value <= max ? undefined : outOfRange(min, max);
  });
}

export const dateRule: Rule = rule({ type: 'string', format: 'date' }, (value) =>
  typeof value === 'string' && isCalendarDate(value)
    ? undefined
    : notOfForm(value, 'must be a valid date in the format YYYY-MM-DD.'),
);

const NO_TIMESTAMP = 'must be a valid ISO 8601 timestamp with a time zone.';

export const timestampRule: Rule = rule({ type: 'string', format: 'date-time' }, (value) => {
  if (typeof value !== 'string') return notOfForm(value, NO_TIMESTAMP);
  if (parseTimestamp(value) !== undefined) return undefined;
  // In a query, + means a space.
  const wasPlus = parseTimestamp(value.replace(' ', '+')) !== undefined;
  return notOfForm(value, wasPlus ? `${NO_TIMESTAMP} Encode its + as %2B.` : NO_TIMESTAMP);
});

export function oneOfRule(choices: readonly string[]): Rule {
  const known: ReadonlySet<unknown> = new Set(choices);
  return rule({ type: 'string', enum: choices }, (value) =>
    known.has(value) ? undefined : { code: 'unknown_value', text: `must be one of ${choices.join(', ')}.` },
  );
}

export function digitsRule({ min, max }: { readonly min: number; readonly max: number }): Rule {
  const pattern = `^[0-9]{${min},${max}}$`;
  const digits = new RegExp(pattern);
  const length = min === max ? `${min}` : `${min} to ${max}`;
  return rule({ type: 'string', pattern }, (value) => {
    if (typeof value !== 'string') return NOT_TEXT;
    return digits.test(value) ? undefined : { code: 'format', text: `must be ${length} digits.` };
  });
}

const CODE = /^[a-z0-9_.-]{1,64}$/;

/** A code for programs, without free text. */
export const codeRule: Rule = rule({ type: 'string', pattern: CODE.source }, (value) => {
  if (typeof value !== 'string') return NOT_TEXT;
  return CODE.test(value)
    ? undefined
    : { code: 'format', text: 'must be 1 to 64 lower case letters, digits, dots, dashes or underscores.' };
});

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

export const ulidRule: Rule = rule({ type: 'string', pattern: ULID.source }, (value) =>
  typeof value === 'string' && ULID.test(value)
    ? undefined
    : notOfForm(value, 'must be a 26-character identifier.'),
);

const LONGEST_EMAIL = 254;
/** Most addresses. The library accepts them as well, in 20 times the time: a sixth of an unchanged bulk. */
const PLAIN_EMAIL =
  /^(?=[^@]{1,64}@.{1,63}$)[a-z\d_+-]+(?:\.[a-z\d_+-]+)*@(?:[a-z\d]+(?:-+[a-z\d]+)*\.)+[a-z]{2,}$/i;
const NO_EMAIL: Fault = { code: 'format', text: 'must be a valid email address.' };

export const emailRule: Rule = rule(
  { type: 'string', format: 'email', maxLength: LONGEST_EMAIL },
  (value) => {
    if (typeof value !== 'string') return NOT_TEXT;
    if (PLAIN_EMAIL.test(value)) return undefined;
    // The library throws on invalid Unicode, which would fail a whole bulk.
    if (value.length > LONGEST_EMAIL || characterFault(value) !== undefined) return NO_EMAIL;
    // All scripts are accepted. Invisible characters would make two addresses look the same.
    return isEmail(value) && !INVISIBLE.test(value) ? undefined : NO_EMAIL;
  },
);

const PHONE = /^\+[1-9][0-9]{7,17}$/;

/** International format with a leading +: a calling code of 1 to 3 digits and a number of 7 to 15 (specification §8). */
export const phoneRule: Rule = rule({ type: 'string', pattern: PHONE.source }, (value) => {
  if (typeof value !== 'string') return NOT_TEXT;
  return PHONE.test(value)
    ? undefined
    : { code: 'format', text: 'must be a valid phone number in international format, such as +13125550100.' };
});

/** What people write between the digits of a phone number. */
const GAP = String.raw`[\s+().\-–/]*`;
const digits = (count: string) => String.raw`(?:${GAP}\d){${count}}`;
/** With +, 00 or 011, or ten digits as in North America, perhaps behind a 1. */
const TYPED_PHONE = `^(?:\\s*(?:\\+|00|011)${GAP}[1-9]${digits('7,17')}|${GAP}(?:1${GAP})?[2-9]${digits('2')}${GAP}[2-9]${digits('6')})${GAP}$`;
const UNREADABLE_PHONE: Fault = {
  code: 'format',
  text: 'must be a valid phone number, like (312) 555-0100, or +44 20 7946 0000.',
};

/** A phone number as people type it. Handlers get it in international format. */
export const typedPhoneRule: Rule = rule(
  { type: 'string', pattern: TYPED_PHONE },
  (value) => {
    if (typeof value !== 'string') return NOT_TEXT;
    return PHONE.test(internationalPhone(value)) ? undefined : UNREADABLE_PHONE;
  },
  internationalPhone,
);

const NATIONAL_PHONE = `^\\+?${digits('7,17')}${GAP}$`;

/** A phone number as people type it beside the calling code of its country. `phoneOfCountry` joins both. */
export const nationalPhoneRule: Rule = rule({ type: 'string', pattern: NATIONAL_PHONE }, (value) => {
  if (typeof value !== 'string') return NOT_TEXT;
  return new RegExp(NATIONAL_PHONE).test(value) ? undefined : UNREADABLE_PHONE;
});

interface ListLimits {
  readonly min?: number;
  readonly max: number;
}

export function listRule({ min = 0, max }: ListLimits): Rule {
  return rule({ type: 'array', minItems: min, maxItems: max }, (value) => {
    if (!Array.isArray(value)) return { code: 'type', text: 'must be an array.' };
    if (value.length >= min && value.length <= max) return undefined;
    const code = value.length < min ? 'too_short' : 'too_long';
    return { code, text: `must have between ${min} and ${max} entries.` };
  });
}

export const objectRule: Rule = rule({ type: 'object' }, (value) =>
  isObject(value) ? undefined : NO_OBJECT,
);
