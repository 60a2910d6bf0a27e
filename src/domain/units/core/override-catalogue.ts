interface OverrideDeclaration {
  /** Label of the choice in forms. */
  readonly choice: string;
  /** Text on pages while the override is in force. */
  readonly label: string;
}

/**
 * Every override that an operator can set on a unit, above the facts of the PMS (specification §3.1). A unit has at most
 * one; it ends with the tenancy. Request bodies, schemas and forms are made from this table. The table of checks says
 * what each override does.
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
  /** Milliseconds since the epoch, or null: until an operator clears it. */
  readonly expires_at: number | null;
}

export function sameOverride(one: AccessOverride | null, other: AccessOverride): boolean {
  return (
    one !== null &&
    one.override === other.override &&
    one.reason === other.reason &&
    one.expires_at === other.expires_at
  );
}
