import { ValidateBy } from 'class-validator';
import {
  codeRule,
  dateRule,
  digitsRule,
  identifierRule,
  moneyRule,
  nameRule,
  nationalPhoneRule,
  phoneRule,
  timestampRule,
  typedPhoneRule,
  ulidRule,
} from './rules.js';
import type { Fault } from '#kernel/errors/field-fault.js';
import type { TextLimits } from './rules.js';
import { type Rule, rule } from './rules.js';
import { FILLED_VISIBLE_TEXT } from './text-patterns.js';

/*
 * The types of this domain. For everything else a DTO uses class-validator's own decorators (`@IsString`, `@MaxLength`,
 * `@IsInt`, `@IsOptional`, `@ValidateNested` …), which `planOf` reads.
 */

/** A class whose properties have decorators of class-validator and of this file. */
export type Dto<T extends object = object> = new () => T;

/** The entry of `fieldRule` in class-validator's metadata. `planOf` reads it once. */
export interface RuleConstraint {
  readonly rule: Rule;
}

const IS_NUMBER = /^\d+$/;

/**
 * A field's name in messages: the last segment of its path that is not a number, and the numbers after it (`units.13`).
 * Underscores become spaces.
 */
export function labelOf(path: string): string {
  const segments = path.split('.');
  let first = segments.length - 1;
  while (first > 0 && IS_NUMBER.test(segments[first]!)) first -= 1;
  return segments
    .slice(first)
    .join('.')
    .replaceAll(/(?<=[^_])_(?=[^_])/g, ' ');
}

/**
 * Makes a decorator of a rule: `const IsKind = () => fieldRule('isKind', rule({ type: 'string' }, check))`. It is a constraint
 * of class-validator, so that the library's `validate()` works too.
 */
export function fieldRule(name: string, rule: Rule): PropertyDecorator {
  const constraint: RuleConstraint = { rule };
  return ValidateBy({
    name,
    constraints: [constraint],
    validator: {
      validate: (value) => rule(value) === undefined,
      defaultMessage: (given) =>
        `The ${labelOf(given?.property ?? '')} field ${rule(given?.value)?.text ?? ''}`,
    },
  });
}

/** The entry of `Says` in class-validator's metadata. */
export const SAYS = 'says';

export interface Said {
  readonly description: string;
  /** The class of a list's entries, if the handler checks them itself. */
  readonly entries?: Dto;
}

/** A field's text in the API's description: unit, default, the meaning of null and of a missing field. Checks nothing. */
export const Says = (description: string, more: Omit<Said, 'description'> = {}): PropertyDecorator =>
  ValidateBy({ name: SAYS, constraints: [{ description, ...more }], validator: { validate: () => true } });

/** The entry of `Example` in class-validator's metadata. */
export const EXAMPLE = 'example';

/** A field's example in the API's description. Checks nothing. */
export const Example = (value: unknown): PropertyDecorator =>
  ValidateBy({ name: EXAMPLE, constraints: [value], validator: { validate: () => true } });

const text = nameRule();
const BLANK: Fault = { code: 'required', text: 'is required.' };

/** A name for people: text of at most 255 characters, not blank and without invisible characters. */
export const IsName = () =>
  fieldRule(
    'isName',
    rule({ ...text.schema, pattern: FILLED_VISIBLE_TEXT }, (value) =>
      typeof value === 'string' && value.trim() === '' ? BLANK : text(value),
    ),
  );
/** Text that people compare by eye: at least 1 character, none of them invisible. */
export const IsVisibleText = (limits?: TextLimits) => fieldRule('isVisibleText', nameRule(limits));
/** A `crm_unit_id`: 1 to 128 characters, none of them invisible, not beginning with `ulid:`. */
export const IsIdentifier = () => fieldRule('isIdentifier', identifierRule);
/** A finite number with at most 2 decimals; `toCents` makes it exact. */
export const IsMoney = () => fieldRule('isMoney', moneyRule);
/** A day of the calendar as YYYY-MM-DD. */
export const IsDateOnly = () => fieldRule('isDateOnly', dateRule);
/** An ISO 8601 timestamp with `Z` or an offset; `parseTimestamp` reads it. */
export const IsTimestamp = () => fieldRule('isTimestamp', timestampRule);
/** A string of decimal digits. */
export const IsDigits = (limits: { min: number; max: number }) => fieldRule('isDigits', digitsRule(limits));
/** A code for programs: `[a-z0-9_.-]{1,64}`. */
export const IsCode = () => fieldRule('isCode', codeRule);
/** An identifier made by the service. */
export const IsUlid = () => fieldRule('isUlid', ulidRule);
/** A phone number as people type it. The handler gets it in international format. */
export const IsTypedPhone = () => fieldRule('isTypedPhone', typedPhoneRule);
/** A phone number as people type it beside the calling code of its country. */
export const IsNationalPhone = () => fieldRule('isNationalPhone', nationalPhoneRule);
/** A phone number in international format with a leading +. */
export const IsPhone = () => fieldRule('isPhone', phoneRule);
