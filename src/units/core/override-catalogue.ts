interface OverrideDeclaration {
  /** As a form offers it. */
  readonly choice: string;
  /** As pages tell that it is in force. */
  readonly label: string;
}

/**
 * Every override that an operator can set on a unit, over what the PMS says (specification §3.1). A unit has one at a time; it
 * ends with the tenancy. Bodies, schemas, forms and wording are made from this table; the check that it makes hold stands in
 * the table of checks.
 */
export const OVERRIDES = {
  lockout: { choice: 'Lock out', label: 'locked out by staff' },
  exempt: { choice: 'Let in', label: 'let in by staff' },
} as const satisfies Readonly<Record<string, OverrideDeclaration>>;

export type OverrideValue = keyof typeof OVERRIDES;

export const OVERRIDE_VALUES = Object.keys(OVERRIDES) as readonly OverrideValue[];

export interface AccessOverride {
  readonly override: OverrideValue;
  readonly reason: string;
  /** Milliseconds since the epoch, or null for until cleared. */
  readonly expires_at: number | null;
}
