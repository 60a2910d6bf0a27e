import { isEmail } from 'class-validator';
import { isCalendarDate, parseTimestamp } from './calendar-text.js';
import { hasWholeCents, LARGEST_AMOUNT } from './money.js';
import { characterFault, codePoints, count, isLonger, reading } from './rule.js';
import type { Rule } from './rule.js';

/** Text of at most 255 characters, unless told otherwise (decisions §2). */
const LONGEST_TEXT = 255;
const LONGEST_IDENTIFIER = 128;
const NOT_TEXT = 'must be a string.';

export interface TextLimits {
  /** Code points; 255 when absent. */
  readonly max?: number;
  /** Code points; 0 when absent. */
  readonly min?: number;
}

export function textRule({ max = LONGEST_TEXT, min = 0 }: TextLimits = {}): Rule {
  return (value) => {
    if (typeof value !== 'string') return NOT_TEXT;
    if (isLonger(value, max)) return `must not be greater than ${count(max, 'character')}.`;
    if (value.length < min || (min > 1 && codePoints(value) < min)) {
      return `must be at least ${count(min, 'character')}.`;
    }
    return characterFault(value);
  };
}

/** A name that people read: text in which nothing is hidden, as a name must not look like another. */
export function nameRule(limits: TextLimits = {}): Rule {
  const text = textRule({ min: 1, ...limits });
  return (value) => text(value) ?? invisibleFault(value as string);
}

/**
 * Characters of no width (soft hyphen, fillers and tags among them), those that turn the direction in which a text is shown,
 * and those that end its line.
 */
const INVISIBLE =
  /\u034f|[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\u{e0000}-\u{e007f}]/u;

function invisibleFault(text: string): string | undefined {
  return INVISIBLE.test(text) ? 'must not contain invisible characters.' : undefined;
}

/**
 * A unit's `crm_unit_id`: opaque, but not mistakable for the `ulid:` form of a path key (decisions §2, §3), and a name where
 * the unit has no other.
 */
export const identifierRule: Rule = (value) => {
  if (typeof value !== 'string') return NOT_TEXT;
  if (value.length === 0 || isLonger(value, LONGEST_IDENTIFIER)) {
    return `must be between 1 and ${LONGEST_IDENTIFIER} characters.`;
  }
  if (value.startsWith('ulid:')) return 'must not begin with ulid:.';
  // Clients take such a segment out of a path before they send it.
  if (value === '.' || value === '..') return 'must not be a relative path.';
  return characterFault(value) ?? invisibleFault(value);
};

export const flagRule: Rule = reading('flag', (value) =>
  typeof value === 'boolean' ? undefined : 'must be true or false.',
);

export const moneyRule: Rule = reading('number', (value) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number.';
  if (Math.abs(value) > LARGEST_AMOUNT) return 'must be between -9999999999.99 and 9999999999.99.';
  return hasWholeCents(value) ? undefined : 'must have at most 2 decimal places.';
});

export function wholeRule({ min, max }: { readonly min: number; readonly max: number }): Rule {
  return reading('number', (value) => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) return 'must be a whole number.';
    return value >= min && value <= max ? undefined : `must be between ${min} and ${max}.`;
  });
}

export function numberRule({ min, max }: { readonly min: number; readonly max: number }): Rule {
  return reading('number', (value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number.';
    return value >= min && value <= max ? undefined : `must be between ${min} and ${max}.`;
  });
}

export const dateRule: Rule = (value) =>
  typeof value === 'string' && isCalendarDate(value)
    ? undefined
    : 'must be a valid date in the format YYYY-MM-DD.';

export const timestampRule: Rule = (value) =>
  typeof value === 'string' && parseTimestamp(value) !== undefined
    ? undefined
    : 'must be a valid ISO 8601 timestamp with a time zone.';

export function oneOfRule(choices: readonly string[]): Rule {
  const known: ReadonlySet<unknown> = new Set(choices);
  return (value) => (known.has(value) ? undefined : `must be one of ${choices.join(', ')}.`);
}

export function digitsRule({ min, max }: { readonly min: number; readonly max: number }): Rule {
  const pattern = new RegExp(`^[0-9]{${min},${max}}$`);
  const length = min === max ? `${min}` : `${min} to ${max}`;
  return (value) => {
    if (typeof value !== 'string') return NOT_TEXT;
    return pattern.test(value) ? undefined : `must be ${length} digits.`;
  };
}

/** A word that programs tell each other: nothing that a person could have written into it. */
export const codeRule: Rule = (value) => {
  if (typeof value !== 'string') return NOT_TEXT;
  return /^[a-z0-9_.-]{1,64}$/.test(value)
    ? undefined
    : 'must be 1 to 64 lower case letters, digits, dots, dashes or underscores.';
};

export const ulidRule: Rule = (value) =>
  typeof value === 'string' && /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(value)
    ? undefined
    : 'must be a 26-character identifier.';

export const emailRule: Rule = (value) => {
  if (typeof value !== 'string') return NOT_TEXT;
  return value.length <= 254 && isEmail(value) ? undefined : 'must be a valid email address.';
};

/** International format with a leading +: a calling code of 1 to 3 digits and a number of 7 to 15 (specification §8). */
export const phoneRule: Rule = (value) => {
  if (typeof value !== 'string') return NOT_TEXT;
  return /^\+[1-9][0-9]{7,17}$/.test(value)
    ? undefined
    : 'must be a valid phone number in international format.';
};

export interface ListLimits {
  readonly min?: number;
  readonly max: number;
}

export function listRule({ min = 0, max }: ListLimits): Rule {
  return (value) => {
    if (!Array.isArray(value)) return 'must be an array.';
    if (value.length >= min && value.length <= max) return undefined;
    return `must have between ${min} and ${max} entries.`;
  };
}

export const objectRule: Rule = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'must be an object.';
