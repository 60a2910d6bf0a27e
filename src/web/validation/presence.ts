/**
 * `@ValidateIf(isGiven)`: the field may be absent, but not null. `@IsOptional()` also accepts null. A field with neither is
 * required.
 */
export const isGiven = (_owner: object, value: unknown): boolean => value !== undefined;
