/** When a field must be there: a condition for class-validator's `@ValidateIf`. */
export interface Presence {
  (owner: object, value: unknown): boolean;
  /** Whether null stands for absence; where it does not, null is refused with the message of the field's type. */
  readonly nullable: boolean;
  /** The field is required where another field of the same object has this value. */
  readonly requiredWhen?: { readonly field: string; readonly equals: string | number | boolean };
}

/**
 * `@ValidateIf(isGiven)`: the field may be absent, and null is refused. `@IsOptional()` lets null pass as well; a field with
 * neither is required.
 */
export const isGiven: Presence = Object.assign((_owner: object, value: unknown) => value !== undefined, {
  nullable: false,
});

/**
 * `@ValidateIf(requiredWhen('occupied', true))`: "… is required when occupied is true."
 * @param nullable null stands for absence otherwise
 */
export function requiredWhen(
  field: string,
  equals: string | number | boolean,
  { nullable = false } = {},
): Presence {
  const condition = (owner: object, value: unknown) =>
    (owner as Record<string, unknown>)[field] === equals ||
    (nullable ? value !== undefined && value !== null : value !== undefined);
  return Object.assign(condition, { nullable, requiredWhen: { field, equals } });
}
