/** Whether a field must be present: a condition for class-validator's `@ValidateIf`. */
export interface Presence {
  (owner: object, value: unknown): boolean;
  /** True: null means the same as a missing field. False: null is refused. */
  readonly nullable: boolean;
  /** The field is required if another field of the same object has this value. */
  readonly requiredWhen?: { readonly field: string; readonly equals: string | number | boolean };
}

/**
 * `@ValidateIf(isGiven)`: the field may be absent, but not null. `@IsOptional()` also accepts null. A field with neither is
 * required.
 */
export const isGiven: Presence = Object.assign((_owner: object, value: unknown) => value !== undefined, {
  nullable: false,
});

/**
 * `@ValidateIf(requiredWhen('occupied', true))`: "… is required when occupied is true."
 * @param nullable true: null means the same as a missing field
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
