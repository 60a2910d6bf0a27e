import { ValidateBy } from 'class-validator';
import {
  codeRule,
  dateRule,
  digitsRule,
  emailRule,
  flagRule,
  identifierRule,
  listRule,
  moneyRule,
  nameRule,
  numberRule,
  objectRule,
  oneOfRule,
  phoneRule,
  textRule,
  timestampRule,
  ulidRule,
  wholeRule,
} from './rules.js';
import type { ListLimits, TextLimits } from './rules.js';
import type { Rule } from './rule.js';

/** A class whose properties carry the decorators of this file. */
export type Dto<T extends object = object> = new () => T;

/** What one decorator says about a field; kept in class-validator's metadata and read once by `compileValidator`. */
export type Facet =
  | { readonly facet: 'required' }
  | { readonly facet: 'optional' }
  | { readonly facet: 'nullable' }
  | { readonly facet: 'required_when'; readonly field: string; readonly equals: unknown }
  | { readonly facet: 'rule'; readonly rule: Rule }
  | { readonly facet: 'each'; readonly rule: Rule }
  | { readonly facet: 'nested'; readonly dto: () => Dto };

/**
 * Registers a facet as a class-validator constraint, so that its own `validate()` understands a DTO's plain rules too.
 */
function facet(name: string, described: Facet): PropertyDecorator {
  const rule = described.facet === 'rule' ? described.rule : () => undefined;
  return ValidateBy({
    name,
    constraints: [described],
    validator: {
      validate: (value) => rule(value) === undefined,
      defaultMessage: (given) => `The ${labelOf(given?.property ?? '')} field ${rule(given?.value) ?? ''}`,
    },
  });
}

/**
 * A field's name as messages show it: the last segment of its path with spaces for the underscores between words.
 */
export function labelOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).replaceAll(/(?<=[^_])_(?=[^_])/g, ' ');
}

/** A decorator from a feature's own rule: `const IsKind = () => fieldRule('isKind', rule)`. */
export function fieldRule(name: string, rule: Rule): PropertyDecorator {
  return facet(name, { facet: 'rule', rule });
}

/** The field must be there and not null: "The x field is required." */
export const Required = () => facet('required', { facet: 'required' });
/** The field may be absent; null is refused with the message of its type. */
export const Optional = () => facet('optional', { facet: 'optional' });
/** The field may be absent or null. Beside `Required`: it must be there, null allowed. */
export const Nullable = () => facet('nullable', { facet: 'nullable' });
/** Required where another field of the same object has a value: "… is required when occupied is true." */
export const RequiredWhen = (field: string, equals: string | number | boolean) =>
  facet('requiredWhen', { facet: 'required_when', field, equals });

/** Text without control characters, at most 255 code points unless told otherwise. */
export const IsText = (limits?: TextLimits) => fieldRule('isText', textRule(limits));
/** A name that people read: text of at least 1 character, none of them invisible. */
export const IsName = (limits?: TextLimits) => fieldRule('isName', nameRule(limits));
/** A `crm_unit_id`: 1 to 128 characters, none of them invisible, not beginning with `ulid:`. */
export const IsIdentifier = () => fieldRule('isIdentifier', identifierRule);
/** true or false; in a query string the words. */
export const IsFlag = () => fieldRule('isFlag', flagRule);
/** A finite number with at most 2 decimals; `toCents` makes it exact. */
export const IsMoney = () => fieldRule('isMoney', moneyRule);
/** A whole number; in a query string its digits. */
export const IsWhole = (limits: { min: number; max: number }) => fieldRule('isWhole', wholeRule(limits));
/** A number within limits. */
export const IsNumberBetween = (min: number, max: number) =>
  fieldRule('isNumberBetween', numberRule({ min, max }));
/** A day of the calendar as YYYY-MM-DD. */
export const IsDateOnly = () => fieldRule('isDateOnly', dateRule);
/** An ISO 8601 timestamp with `Z` or an offset; `parseTimestamp` reads it. */
export const IsTimestamp = () => fieldRule('isTimestamp', timestampRule);
/** One of some words. */
export const IsOneOf = (choices: readonly string[]) => fieldRule('isOneOf', oneOfRule(choices));
/** A string of decimal digits. */
export const IsDigits = (limits: { min: number; max: number }) => fieldRule('isDigits', digitsRule(limits));
/** A word that programs tell each other: `[a-z0-9_.-]{1,64}`. */
export const IsCode = () => fieldRule('isCode', codeRule);
/** An identifier made by the service. */
export const IsUlid = () => fieldRule('isUlid', ulidRule);
export const IsEmailAddress = () => fieldRule('isEmailAddress', emailRule);
/** A phone number in international format with a leading +. */
export const IsPhone = () => fieldRule('isPhone', phoneRule);

/** An array of texts; each entry has a path and messages of its own. */
export function IsListOfText(limits: ListLimits & { readonly text?: TextLimits }): PropertyDecorator {
  return (target, property) => {
    fieldRule('isList', listRule(limits))(target, property);
    facet('entries', { facet: 'each', rule: textRule(limits.text) })(target, property);
  };
}

/** An object of a DTO class. */
export function IsNested(dto: Dto): PropertyDecorator {
  return (target, property) => {
    fieldRule('isNested', objectRule)(target, property);
    facet('nested', { facet: 'nested', dto: () => dto })(target, property);
  };
}
