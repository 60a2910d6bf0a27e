import type { Action, Entry } from './plan.js';

/** A unit's facts, as a list of units shows them. */
export interface UnitFacts {
  readonly occupied: boolean;
  readonly pms_tenant_id: string | null;
  readonly move_in_date: string | null;
  readonly balance_due: number;
  readonly paid_through_date: string | null;
  readonly pms_lockout: boolean;
  readonly pms_unrentable: boolean;
}

/** What must be answered: a bulk's counts where there are any. */
export interface Expected {
  readonly status: number;
  readonly counts?: { total: number; created: number; updated: number; unchanged: number; errors: number };
}

const VACANT: UnitFacts = {
  occupied: false,
  pms_tenant_id: null,
  move_in_date: null,
  balance_due: 0,
  paid_through_date: null,
  pms_lockout: false,
  pms_unrentable: false,
};

/** A naive second formulation of what writes do, for units that nobody else writes. */
export class Oracle {
  readonly units = new Map<string, UnitFacts>();

  /** Applies an action. @returns what the service must answer */
  apply(action: Action): Expected {
    switch (action.kind) {
      case 'bulk':
        return { status: 200, counts: this.bulk(action.body.units) };
      case 'move_in': {
        const before = this.units.get(action.unit);
        const { pms_tenant_id, move_in_date } = action.body;
        this.units.set(action.unit, { ...(before ?? VACANT), occupied: true, pms_tenant_id, move_in_date });
        return { status: before === undefined ? 201 : 200 };
      }
      case 'patch':
        return this.existing(action.unit, (before) => ({ ...before, ...action.body }));
      case 'move_out':
        return this.existing(action.unit, (before) => (before.occupied ? VACANT : before));
    }
  }

  private existing(unit: string, change: (before: UnitFacts) => UnitFacts): Expected {
    const before = this.units.get(unit);
    if (before === undefined) return { status: 404 };
    this.units.set(unit, change(before));
    return { status: 200 };
  }

  private bulk(entries: readonly Entry[]): Expected['counts'] {
    const counts = { total: entries.length, created: 0, updated: 0, unchanged: 0, errors: 0 };
    for (const entry of entries) counts[this.entry(entry)] += 1;
    return counts;
  }

  private entry(entry: Entry): 'created' | 'updated' | 'unchanged' | 'errors' {
    if (entry.occupied && entry.move_in_date === undefined) return 'errors';
    const before = this.units.get(entry.crm_unit_id);
    const after = synced(before ?? VACANT, entry);
    this.units.set(entry.crm_unit_id, after);
    if (before === undefined) return 'created';
    return isSame(before, after) ? 'unchanged' : 'updated';
  }
}

function synced(before: UnitFacts, entry: Entry): UnitFacts {
  if (!entry.occupied) return { ...VACANT, pms_unrentable: entry.pms_unrentable ?? false };
  return {
    ...before,
    occupied: true,
    pms_tenant_id: entry.tenant!.pms_tenant_id,
    move_in_date: entry.move_in_date!,
    balance_due: entry.balance_due ?? before.balance_due,
    pms_lockout: entry.pms_lockout ?? before.pms_lockout,
  };
}

function isSame(one: UnitFacts, other: UnitFacts): boolean {
  return (Object.keys(one) as (keyof UnitFacts)[]).every((name) => one[name] === other[name]);
}
