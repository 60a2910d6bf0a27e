import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, IS_OPTIONAL, ValidationTypes } from 'class-validator';
import { needsAField } from './needs-a-field.js';
import { EXAMPLE, SAYS } from './decorators.js';
import { isGiven } from './presence.js';
import { objectRule } from './rules.js';
import { standardRule } from './standard-rules.js';
import type { Dto, RuleConstraint, Said } from './decorators.js';
import type { Rule } from './rules.js';

type ValidationMetadata = ReturnType<
  ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']
>[number];

export interface DtoField {
  readonly name: string;
  /** The field must be present and not null. */
  readonly required: boolean;
  /** Null means the same as a missing field. */
  readonly nullable: boolean;
  /** At least one, in the order of the checks. */
  readonly rules: readonly Rule[];
  /** The rule of each entry of a list. */
  readonly each: Rule | undefined;
  /** The plan of a nested object. */
  readonly nested: Plan | undefined;
  /** For the API's description. */
  readonly examples: readonly unknown[] | undefined;
  /** For the API's description; undefined without `Says`. */
  readonly said: Said | undefined;
}

/** The fields of a DTO class, in the order of their declaration. */
export interface Plan {
  readonly dto: Dto;
  readonly names: ReadonlySet<string>;
  /** An object without any field is refused (`NeedsAField`). */
  readonly needsAField: boolean;
  readonly fields: readonly DtoField[];
  /** The class's static `hintsForUnknown`: for an unknown field, the name that the client may mean. */
  readonly hintsForUnknown: Readonly<Record<string, string>>;
}

const plans = new Map<Dto, Plan>();

/**
 * Reads the decorators of a DTO class from class-validator's metadata, once.
 * @throws Error for a class without fields, a field without a type, or an unsupported decorator
 */
export function planOf(dto: Dto): Plan {
  const known = plans.get(dto);
  if (known !== undefined) return known;
  const byField = new Map<string, ValidationMetadata[]>();
  for (const metadata of getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false)) {
    const { propertyName } = metadata;
    byField.set(propertyName, [...(byField.get(propertyName) ?? []), metadata]);
  }
  if (byField.size === 0) throw new Error(`${dto.name} declares no field.`);
  const fields: DtoField[] = [];
  const { hintsForUnknown = {} } = dto as Partial<Pick<Plan, 'hintsForUnknown'>>;
  const plan: Plan = {
    dto,
    names: new Set(byField.keys()),
    needsAField: needsAField(dto),
    fields,
    hintsForUnknown,
  };
  // Stored before nested classes are read, so that a class may contain itself.
  plans.set(dto, plan);
  for (const [name, said] of byField) fields.push(readField(dto, name, said));
  return plan;
}

function readField(dto: Dto, name: string, said: readonly ValidationMetadata[]): DtoField {
  try {
    const nests = said.some(({ type }) => type === ValidationTypes.NESTED_VALIDATION);
    const rules = rulesOf(said.filter(({ each }) => !each));
    if (nests && !rules.includes(objectRule)) rules.push(objectRule);
    if (rules.length === 0) throw new Error('has no type.');
    return {
      name,
      ...presenceOf(said),
      rules,
      each: rulesOf(said.filter(({ each }) => each))[0],
      nested: nests ? planOf(nestedIn(dto, name)) : undefined,
      examples: said.find((one) => one.name === EXAMPLE)?.constraints as readonly unknown[] | undefined,
      said: said.find((one) => one.name === SAYS)?.constraints[0] as Said | undefined,
    };
  } catch (error) {
    plans.delete(dto);
    const { message } = error as Error;
    throw new Error(message.startsWith(dto.name) ? message : `${dto.name}.${name} ${message}`, {
      cause: error,
    });
  }
}

/** Our own rules come first, because they are more exact than the library's types. */
function rulesOf(said: readonly ValidationMetadata[]): Rule[] {
  const own: Rule[] = [];
  const standard = new Map<string, readonly unknown[]>();
  for (const { type, name = type, constraints = [] } of said) {
    if (NO_RULE.has(type) || name === EXAMPLE || name === SAYS) continue;
    const rule = (constraints[0] as Partial<RuleConstraint> | null | undefined)?.rule;
    if (typeof rule === 'function') own.push(rule);
    else standard.set(name, constraints as unknown[]);
  }
  const type = standardRule(standard);
  return type === undefined ? own : [...own, type];
}

const NO_RULE: ReadonlySet<string> = new Set([
  ValidationTypes.CONDITIONAL_VALIDATION,
  ValidationTypes.NESTED_VALIDATION,
]);

function presenceOf(said: readonly ValidationMetadata[]): Pick<DtoField, 'required' | 'nullable'> {
  const conditions = said.filter(({ type }) => type === ValidationTypes.CONDITIONAL_VALIDATION);
  if (conditions.length > 1) throw new Error('says more than once when it must be there.');
  const [condition] = conditions;
  if (condition === undefined) return { required: true, nullable: false };
  if (condition.name === IS_OPTIONAL) return { required: false, nullable: true };
  if (condition.constraints[0] === isGiven) return { required: false, nullable: false };
  throw new Error('carries a condition other than isGiven.');
}

/** The class of `@Type`. Found by letting class-transformer create an instance. */
function nestedIn(dto: Dto, name: string): Dto {
  const made: unknown = (plainToInstance(dto, { [name]: {} }) as Record<string, unknown>)[name];
  const { constructor } = made as { constructor: Dto };
  if ((constructor as unknown) === Object) throw new Error('nests an object whose class no @Type names.');
  return constructor;
}
