import {
  ARRAY_MAX_SIZE,
  ARRAY_MIN_SIZE,
  IS_ARRAY,
  IS_BOOLEAN,
  IS_EMAIL,
  IS_IN,
  IS_INT,
  IS_LENGTH,
  IS_NUMBER,
  IS_OBJECT,
  IS_STRING,
  MAX,
  MAX_LENGTH,
  MIN,
  MIN_LENGTH,
} from 'class-validator';
import {
  emailRule,
  flagRule,
  listRule,
  numberRule,
  objectRule,
  oneOfRule,
  textRule,
  wholeRule,
} from './rules.js';
import type { Rule } from './rules.js';

/** The constraints of class-validator's decorators, by the decorator's name. */
type Constraints = ReadonlyMap<string, readonly unknown[]>;

/** Makes one rule of the decorators of one type. */
interface StandardType {
  /** The decorators of bounds for this type. */
  readonly bounds: readonly string[];
  /** @throws Error if bounds are missing */
  readonly rule: (said: Constraints) => Rule;
}

const TYPES: Readonly<Record<string, StandardType>> = {
  [IS_STRING]: { bounds: [MIN_LENGTH, MAX_LENGTH, IS_LENGTH], rule: textOf },
  [IS_INT]: { bounds: [MIN, MAX], rule: (said) => wholeRule(rangeOf(said)) },
  [IS_NUMBER]: { bounds: [MIN, MAX], rule: (said) => numberRule(rangeOf(said)) },
  [IS_BOOLEAN]: { bounds: [], rule: () => flagRule },
  [IS_EMAIL]: { bounds: [], rule: () => emailRule },
  [IS_IN]: { bounds: [], rule: (said) => oneOfRule(said.get(IS_IN)![0] as string[]) },
  [IS_OBJECT]: { bounds: [], rule: () => objectRule },
  [IS_ARRAY]: { bounds: [ARRAY_MIN_SIZE, ARRAY_MAX_SIZE], rule: listOf },
};

/**
 * Makes a rule of class-validator's own decorators; undefined if there are none.
 * @throws Error for an unsupported decorator, and for texts, numbers and lists without a bound
 */
export function standardRule(said: Constraints): Rule | undefined {
  if (said.size === 0) return undefined;
  const types = Object.keys(TYPES).filter((name) => said.has(name));
  const [name] = types;
  if (name === undefined || types.length > 1) throw new Error('has no type, or several.');
  const { bounds, rule } = TYPES[name]!;
  for (const other of said.keys()) {
    if (other !== name && !bounds.includes(other))
      throw new Error(`uses ${other}, which nothing reads beside ${name}.`);
  }
  return rule(said);
}

function textOf(said: Constraints): Rule {
  const [least, most] = said.get(IS_LENGTH) ?? [];
  const min = (said.get(MIN_LENGTH)?.[0] ?? least ?? 0) as number;
  return textRule({ min, max: demanded(said.get(MAX_LENGTH)?.[0] ?? most, MAX_LENGTH) });
}

function rangeOf(said: Constraints): { readonly min: number; readonly max: number } {
  return { min: demanded(said.get(MIN)?.[0], MIN), max: demanded(said.get(MAX)?.[0], MAX) };
}

function listOf(said: Constraints): Rule {
  const min = (said.get(ARRAY_MIN_SIZE)?.[0] ?? 0) as number;
  return listRule({ min, max: demanded(said.get(ARRAY_MAX_SIZE)?.[0], ARRAY_MAX_SIZE) });
}

function demanded(bound: unknown, name: string): number {
  if (typeof bound !== 'number') throw new Error(`has no ${name}.`);
  return bound;
}
