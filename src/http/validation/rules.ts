import { isEmail } from 'class-validator';
import { isCalendarDate, parseTimestamp } from './calendar-text.js';
import { hasWholeCents, LARGEST_AMOUNT } from './money.js';
import { characterFault, codePoints, count, isLonger, rule } from './rule.js';
import { INVISIBLE, LOST_SELECTOR, TEXT, VISIBLE_TEXT } from './text-patterns.js';
import type { Rule } from './rule.js';

/** Text of at most 255 characters, unless told otherwise (decisions §2). */
export const LONGEST_TEXT = 255;
const LONGEST_IDENTIFIER = 128;
const NOT_TEXT = 'must be a string.';

export interface TextLimits {
  /** Code points; 255 when absent. */
  readonly max?: number;
  /** Code points; 0 when absent. */
  readonly min?: number;
}

export function textRule({ max = LONGEST_TEXT, min = 0 }: TextLimits = {}): Rule {
  return rule({ ...textSchema(min, max), pattern: TEXT }, (value) => {
    if (typeof value !== 'string') return NOT_TEXT;
    if (isLonger(value, max)) return `must not be greater than ${count(max, 'character')}.`;
    if (value.length < min || (min > 1 && codePoints(value) < min)) {
      return `must be at least ${count(min, 'character')}.`;
    }
    return characterFault(value);
  });
}

function textSchema(minLength: number, maxLength: number) {
  return minLength === 0 ? { type: 'string', maxLength } : { type: 'string', minLength, maxLength };
}

/** A name that people read: text in which nothing is hidden, as a name must not look like another. */
export function nameRule(limits: TextLimits = {}): Rule {
  const text = textRule({ min: 1, ...limits });
  const schema = { ...text.schema, pattern: VISIBLE_TEXT, not: { type: 'string', pattern: LOST_SELECTOR } };
  return rule(schema, (value) => text(value) ?? invisibleFault(value as string));
}

function invisibleFault(text: string): string | undefined {
  return INVISIBLE.test(text) ? 'must not contain invisible characters.' : undefined;
}

const IDENTIFIER = {
  ...textSchema(1, LONGEST_IDENTIFIER),
  pattern: VISIBLE_TEXT,
  not: { type: 'string', pattern: `^(ulid:|\\.{1,2}$)|${LOST_SELECTOR}` },
};

/**
 * A unit's `crm_unit_id`: opaque, but not mistakable for the `ulid:` form of a path key (decisions §2, §3), and a name where
 * the unit has no other.
 */
export const identifierRule: Rule = rule(IDENTIFIER, (value) => {
  if (typeof value !== 'string') return NOT_TEXT;
  if (value.length === 0 || isLonger(value, LONGEST_IDENTIFIER)) {
    return `must be between 1 and ${LONGEST_IDENTIFIER} characters.`;
  }
  if (value.startsWith('ulid:')) return 'must not begin with ulid:.';
  // Clients take such a segment out of a path before they send it.
  if (value === '.' || value === '..') return 'must not be a relative path.';
  return characterFault(value) ?? invisibleFault(value);
});

export const flagRule: Rule = rule({ type: 'boolean' }, (value) =>
  typeof value === 'boolean' ? undefined : 'must be true or false.',
);

const MONEY = { type: 'number', minimum: -LARGEST_AMOUNT, maximum: LARGEST_AMOUNT };

/** A decimal amount; that it has at most 2 places, JSON Schema cannot say of binary numbers. */
export const moneyRule: Rule = rule(MONEY, (value) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number.';
  if (Math.abs(value) > LARGEST_AMOUNT) return 'must be between -9999999999.99 and 9999999999.99.';
  return hasWholeCents(value) ? undefined : 'must have at most 2 decimal places.';
});

export function wholeRule({ min, max }: { readonly min: number; readonly max: number }): Rule {
  return rule({ type: 'integer', minimum: min, maximum: max }, (value) => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) return 'must be a whole number.';
    return value >= min && value <= max ? undefined : `must be between ${min} and ${max}.`;
  });
}

export function numberRule({ min, max }: { readonly min: number; readonly max: number }): Rule {
  return rule({ type: 'number', minimum: min, maximum: max }, (value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number.';
    return value >= min && value <= max ? undefined : `must be between ${min} and ${max}.`;
  });
}

export const dateRule: Rule = rule({ type: 'string', format: 'date' }, (value) =>
  typeof value === 'string' && isCalendarDate(value)
    ? undefined
    : 'must be a valid date in the format YYYY-MM-DD.',
);

export const timestampRule: Rule = rule({ type: 'string', format: 'date-time' }, (value) =>
  typeof value === 'string' && parseTimestamp(value) !== undefined
    ? undefined
    : 'must be a valid ISO 8601 timestamp with a time zone.',
);

export function oneOfRule(choices: readonly string[]): Rule {
  const known: ReadonlySet<unknown> = new Set(choices);
  return rule({ type: 'string', enum: choices }, (value) =>
    known.has(value) ? undefined : `must be one of ${choices.join(', ')}.`,
  );
}

export function digitsRule({ min, max }: { readonly min: number; readonly max: number }): Rule {
  const pattern = `^[0-9]{${min},${max}}$`;
  const digits = new RegExp(pattern);
  const length = min === max ? `${min}` : `${min} to ${max}`;
  return rule({ type: 'string', pattern }, (value) => {
    if (typeof value !== 'string') return NOT_TEXT;
    return digits.test(value) ? undefined : `must be ${length} digits.`;
  });
}

const CODE = /^[a-z0-9_.-]{1,64}$/;

/** A word that programs tell each other: nothing that a person could have written into it. */
export const codeRule: Rule = rule({ type: 'string', pattern: CODE.source }, (value) => {
  if (typeof value !== 'string') return NOT_TEXT;
  return CODE.test(value)
    ? undefined
    : 'must be 1 to 64 lower case letters, digits, dots, dashes or underscores.';
});

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

export const ulidRule: Rule = rule({ type: 'string', pattern: ULID.source }, (value) =>
  typeof value === 'string' && ULID.test(value) ? undefined : 'must be a 26-character identifier.',
);

const LONGEST_EMAIL = 254;
const NO_EMAIL = 'must be a valid email address.';

export const emailRule: Rule = rule(
  { type: 'string', format: 'email', maxLength: LONGEST_EMAIL },
  (value) => {
    if (typeof value !== 'string') return NOT_TEXT;
    // The library throws on text that is not valid Unicode, which would be the end of a whole bulk.
    if (value.length > LONGEST_EMAIL || characterFault(value) !== undefined) return NO_EMAIL;
    // Local parts of any script are taken; what cannot be seen would make two addresses look like one.
    return isEmail(value) && !INVISIBLE.test(value) ? undefined : NO_EMAIL;
  },
);

const PHONE = /^\+[1-9][0-9]{7,17}$/;

/** International format with a leading +: a calling code of 1 to 3 digits and a number of 7 to 15 (specification §8). */
export const phoneRule: Rule = rule({ type: 'string', pattern: PHONE.source }, (value) => {
  if (typeof value !== 'string') return NOT_TEXT;
  return PHONE.test(value) ? undefined : 'must be a valid phone number in international format.';
});

export interface ListLimits {
  readonly min?: number;
  readonly max: number;
}

export function listRule({ min = 0, max }: ListLimits): Rule {
  return rule({ type: 'array', minItems: min, maxItems: max }, (value) => {
    if (!Array.isArray(value)) return 'must be an array.';
    if (value.length >= min && value.length <= max) return undefined;
    return `must have between ${min} and ${max} entries.`;
  });
}

export const objectRule: Rule = rule({ type: 'object' }, (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'must be an object.',
);
