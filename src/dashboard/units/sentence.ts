import type { AccessReason, AccessState } from '../../access/index.js';
import { amountText, dateText, instantText } from '../parts/words.js';

/** What the sentence on a unit is made of, as the operator API shows a unit. */
export interface ToldUnit {
  readonly unit_id: string;
  readonly source_type: string;
  readonly facts: {
    readonly balance_due: number;
    readonly paid_through_date: string | null;
    readonly move_in_date: string | null;
  };
  readonly access: {
    readonly state: AccessState;
    readonly reason: AccessReason | null;
    readonly also: readonly string[];
    readonly resolution: readonly { readonly crm_unit_id: string; readonly field: string }[] | null;
    readonly valid_until: string | null;
    readonly checks?: readonly {
      readonly name: string;
      readonly looked_at: readonly { readonly name: string; readonly value: unknown }[];
    }[];
  };
  readonly override?: { readonly reason: string; readonly expires_at: string | null } | null;
  readonly location: { readonly timezone: string };
}

/** Whether a unit's data is kept here, so that no PMS knows it or writes of it. */
export function isStandalone({ source_type }: Pick<ToldUnit, 'source_type'>): boolean {
  return source_type === 'standalone';
}

/** The decision in one sentence with its cure, for a person who has to say why a door does not open. */
export function sentenceOf(unit: ToldUnit): string {
  const { state, reason } = unit.access;
  if (state === 'tenant_permitted') return permitted(unit);
  if (state === 'tenant_denied') return `${DENIED[reason as Denial](unit)}${besides(unit)}`;
  return IDLE[state](isStandalone(unit) ? 'an operator' : 'the PMS');
}

type Denial = Exclude<AccessReason, 'active' | 'pms_exempt' | 'system_exempt'>;

type Idle = Exclude<AccessState, 'tenant_permitted' | 'tenant_denied'>;

/** By who writes the facts. */
const IDLE: Readonly<Record<Idle, (writer: string) => string>> = {
  vacant: () => 'Vacant: nobody rents it, so it opens for nobody.',
  auction: (writer) => `In auction: it opens for nobody until ${writer} ends the auction.`,
  unrentable: (writer) => `Not for rent: it opens for nobody until ${writer} offers it again.`,
};

function permitted(unit: ToldUnit): string {
  const { access, override, location } = unit;
  const { reason, valid_until } = access;
  const { timezone } = location;
  if (reason === 'pms_exempt')
    return isStandalone(unit)
      ? 'Open: its facts exempt it from every lockout.'
      : 'Open: the PMS exempts it from every lockout.';
  if (reason === 'system_exempt')
    return `Open: an operator exempts it${saying(override)}${ending(override, timezone)}.`;
  const turn = valid_until === null ? '' : ` This may change at ${instantText(valid_until, timezone)}.`;
  return `Open: nothing stands against it.${turn}`;
}

const DENIED: Readonly<Record<Denial, (unit: ToldUnit) => string>> = {
  delinquent: (unit) => {
    const { balance_due, paid_through_date } = unit.facts;
    // The day through which it is paid is paid itself.
    const since =
      paid_through_date === null ? '' : ` since ${dateText(paid_through_date, 1)}${graceOf(unit)}`;
    return `Locked out: ${amountText(balance_due)} due${since}. Opens when the balance is paid.`;
  },
  blanket_delinquency: ({ access: { resolution } }) => {
    const debtors =
      resolution?.filter(({ field }) => field === 'balance_due').map(({ crm_unit_id }) => crm_unit_id) ?? [];
    return `Locked out: the tenant is past due on ${debtors.join(', ')}. Opens when that balance is paid.`;
  },
  pms_lockout: (unit) =>
    isStandalone(unit)
      ? 'Locked out by its facts. Opens when an operator lifts the lockout there.'
      : 'Locked out by the PMS. Opens when the PMS lifts its lockout.',
  system_lockout: ({ override, location: { timezone } }) =>
    `Locked out by an operator${saying(override)}${ending(override, timezone)}. Opens when an operator clears the lockout.`,
  future_move_in: ({ facts: { move_in_date } }) =>
    `Not open yet: the lease begins on ${dateText(move_in_date ?? '')}. Opens on that day.`,
};

/** `, grace ended on 6 November 2026`, by the policy that the check looked at. */
function graceOf({ facts: { paid_through_date }, access: { checks = [] } }: ToldUnit): string {
  const seen = checks.find(({ name }) => name === 'delinquent')?.looked_at ?? [];
  const days = seen.find(({ name }) => name === 'grace_period_days')?.value;
  if (typeof days !== 'number' || paid_through_date === null) return '';
  return `, grace ended on ${dateText(paid_through_date, days)}`;
}

function saying(override: ToldUnit['override']): string {
  return override ? ` (“${override.reason}”)` : '';
}

function ending(override: ToldUnit['override'], timezone: string): string {
  return override?.expires_at ? `, until ${instantText(override.expires_at, timezone)}` : '';
}

const ALSO: Readonly<Record<string, string>> = {
  delinquent: 'its balance is past due',
  blanket_delinquency: 'the tenant is past due on another unit',
  pms_lockout: 'the PMS locks it out',
  future_move_in: 'the lease has not begun',
  unrentable: 'it is not for rent',
  system_lockout: 'an operator has locked it out',
};

function besides(unit: ToldUnit): string {
  const { also } = unit.access;
  if (also.length === 0) return '';
  const causes = also.map((one) =>
    one === 'pms_lockout' && isStandalone(unit) ? 'its facts lock it out' : (ALSO[one] ?? one),
  );
  return ` That alone does not open it: ${causes.join(', and ')}.`;
}
