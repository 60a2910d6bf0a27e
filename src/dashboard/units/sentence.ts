import type { AccessReason, AccessState } from '../../access/index.js';
import { amountText, dateText, instantText } from '../parts/words.js';

/** What the sentence on a unit is made of, as the operator API shows a unit. */
export interface ToldUnit {
  readonly unit_id: string;
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

/** The decision in one sentence with its cure, for a person who has to say why a door does not open. */
export function sentenceOf(unit: ToldUnit): string {
  const { state, reason } = unit.access;
  if (state === 'tenant_permitted') return permitted(unit);
  if (state === 'tenant_denied') return `${DENIED[reason as Denial](unit)}${besides(unit)}`;
  return IDLE[state];
}

type Denial = Exclude<AccessReason, 'active' | 'pms_exempt' | 'system_exempt'>;

const IDLE: Readonly<Record<Exclude<AccessState, 'tenant_permitted' | 'tenant_denied'>, string>> = {
  vacant: 'Vacant: nobody rents it, so it opens for nobody.',
  auction: 'In auction: it opens for nobody until the PMS ends the auction.',
  unrentable: 'Not for rent: it opens for nobody until the PMS offers it again.',
};

function permitted({ access: { reason, valid_until }, override, location: { timezone } }: ToldUnit): string {
  if (reason === 'pms_exempt') return 'Open: the PMS exempts it from every lockout.';
  if (reason === 'system_exempt')
    return `Open: an operator exempts it${saying(override)}${ending(override, timezone)}.`;
  const turn = valid_until === null ? '' : ` This may change at ${instantText(valid_until, timezone)}.`;
  return `Open: nothing stands against it.${turn}`;
}

const DENIED: Readonly<Record<Denial, (unit: ToldUnit) => string>> = {
  delinquent: (unit) => {
    const { balance_due, paid_through_date } = unit.facts;
    const since = paid_through_date === null ? '' : ` since ${dateText(paid_through_date)}${graceOf(unit)}`;
    return `Locked out: ${amountText(balance_due)} due${since}. Opens when the balance is paid.`;
  },
  blanket_delinquency: ({ access: { resolution } }) => {
    const debtors =
      resolution?.filter(({ field }) => field === 'balance_due').map(({ crm_unit_id }) => crm_unit_id) ?? [];
    return `Locked out: the tenant is past due on ${debtors.join(', ')}. Opens when that balance is paid.`;
  },
  pms_lockout: () => 'Locked out by the PMS. Opens when the PMS lifts its lockout.',
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

function besides({ access: { also } }: ToldUnit): string {
  if (also.length === 0) return '';
  return ` That alone does not open it: ${also.map((one) => ALSO[one] ?? one).join(', and ')}.`;
}
