import { ValidateBy } from 'class-validator';
import {
  codeRule,
  dateRule,
  digitsRule,
  identifierRule,
  moneyRule,
  nameRule,
  phoneRule,
  timestampRule,
  ulidRule,
} from './rules.js';
import type { TextLimits } from './rules.js';
import type { Rule } from './rule.js';

/*
 * The types of this domain. For everything else a DTO uses class-validator's own decorators (`@IsString`, `@MaxLength`,
 * `@IsInt`, `@IsOptional`, `@ValidateNested` …), which `compileValidator` reads.
 */

/** A class whose properties carry decorators of class-validator and of this file. */
export type Dto<T extends object = object> = new () => T;

/** What `fieldRule` keeps in class-validator's metadata; read once by `compileValidator`. */
export interface RuleConstraint {
  readonly rule: Rule;
}

/**
 * A field's name as messages show it: the last segment of its path with spaces for the underscores between words.
 */
export function labelOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).replaceAll(/(?<=[^_])_(?=[^_])/g, ' ');
}

/**
 * A decorator from a feature's own rule: `const IsKind = () => fieldRule('isKind', rule({ type: 'string' }, check))`. Registered as a
 * class-validator constraint, so that its own `validate()` understands it too.
 */
export function fieldRule(name: string, rule: Rule): PropertyDecorator {
  const constraint: RuleConstraint = { rule };
  return ValidateBy({
    name,
    constraints: [constraint],
    validator: {
      validate: (value) => rule(value) === undefined,
      defaultMessage: (given) => `The ${labelOf(given?.property ?? '')} field ${rule(given?.value) ?? ''}`,
    },
  });
}

/** A name that people read: text of at least 1 character, none of them invisible. */
export const IsName = (limits?: TextLimits) => fieldRule('isName', nameRule(limits));
/** What is no name but is told apart by eye as well: text of at least 1 character unless said otherwise, none of them invisible. */
export const IsVisibleText = (limits?: TextLimits) => fieldRule('isVisibleText', nameRule(limits));
/** A `crm_unit_id`: 1 to 128 characters, none of them invisible, not beginning with `ulid:`. */
export const IsIdentifier = () => fieldRule('isIdentifier', identifierRule);
/** A finite number with at most 2 decimals; `toCents` makes it exact. */
export const IsMoney = () => fieldRule('isMoney', moneyRule);
/** A day of the calendar as YYYY-MM-DD. */
export const IsDateOnly = () => fieldRule('isDateOnly', dateRule);
/** An ISO 8601 timestamp with `Z` or an offset; `parseTimestamp` reads it. */
export const IsTimestamp = () => fieldRule('isTimestamp', timestampRule);
/** A calling code, a number or a code by SMS: a string of decimal digits. */
export const IsDigits = (limits: { min: number; max: number }) => fieldRule('isDigits', digitsRule(limits));
/** A word that programs tell each other: `[a-z0-9_.-]{1,64}`. */
export const IsCode = () => fieldRule('isCode', codeRule);
/** An identifier made by the service. */
export const IsUlid = () => fieldRule('isUlid', ulidRule);
/** A phone number in international format with a leading +. */
export const IsPhone = () => fieldRule('isPhone', phoneRule);
