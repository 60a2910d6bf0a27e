import type { CalendarDate } from '#kernel/calendar-date.js';

/** The type of each kind of fact. Amounts are integer cents; a negative amount is a credit. The API shows decimal numbers. */
interface KindValues {
  readonly flag: boolean;
  readonly amount: number;
  readonly date: CalendarDate | null;
  readonly text: string | null;
}

export type FactKind = keyof KindValues;

/** The value of each kind of fact in a new unit, and after a reset (specification §3.2). */
const RESET_VALUES: KindValues = { flag: false, amount: 0, date: null, text: null };

export interface FactDeclaration {
  readonly kind: FactKind;
  readonly on_move_out: 'reset' | 'kept';
  /** Whether the fact belongs to the tenancy and goes along to another unit (decisions §6), or to the unit. */
  readonly on_transfer: 'goes_along' | 'stays';
  /** `pms`: PATCH, bulk, pull, or the operator of a standalone unit. `tenancy`: only a move-in or move-out. */
  readonly written_by: 'pms' | 'tenancy';
  /** Label in forms. */
  readonly label: string;
  /** Text of the API's description. */
  readonly description: string;
  /** Example in the API's description. */
  readonly example: string | number | boolean;
  /** Most characters of a text; default 255. */
  readonly longest?: number;
}

/**
 * Every fact about a unit (specification §2.1), by its name in the API. Types, reset values, request bodies, schemas, the
 * mapping of pull sources, and forms are made from this table.
 */
export const FACTS = {
  occupied: {
    kind: 'flag',
    on_move_out: 'reset',
    on_transfer: 'goes_along',
    written_by: 'tenancy',
    label: 'Occupied',
    description: 'True if the unit is rented. A move-in sets it, a move-out clears it.',
    example: true,
  },
  pms_tenant_id: {
    kind: 'text',
    on_move_out: 'reset',
    on_transfer: 'goes_along',
    written_by: 'tenancy',
    label: 'Tenant number',
    description: 'The tenant. Null if the unit is vacant.',
    example: 'T-1001',
  },
  ledger_id: {
    kind: 'text',
    on_move_out: 'reset',
    on_transfer: 'goes_along',
    written_by: 'tenancy',
    label: 'Account in the PMS',
    description: 'The ledger of the tenancy, in the words of the PMS. Null: none.',
    example: 'L-2001',
  },
  move_in_date: {
    kind: 'date',
    on_move_out: 'reset',
    on_transfer: 'goes_along',
    written_by: 'tenancy',
    label: 'First day',
    description: 'First day of the lease. Null if the unit is vacant.',
    example: '2026-01-15',
  },
  balance_due: {
    kind: 'amount',
    on_move_out: 'reset',
    on_transfer: 'goes_along',
    written_by: 'pms',
    label: 'Balance due',
    description:
      'What is owed, as a decimal number with at most 2 places. Negative: a credit. A move-out resets it to 0.',
    example: 0,
  },
  paid_through_date: {
    kind: 'date',
    on_move_out: 'reset',
    on_transfer: 'goes_along',
    written_by: 'pms',
    label: 'Paid through',
    description: 'Last day that is paid for. Null: no date, so a balance never denies. A move-out resets it.',
    example: '2026-06-30',
  },
  pms_lockout: {
    kind: 'flag',
    on_move_out: 'reset',
    on_transfer: 'goes_along',
    written_by: 'pms',
    label: 'Locked out',
    description: 'True denies, unless the unit is exempt. A move-out resets it.',
    example: false,
  },
  pms_lock_exempt: {
    kind: 'flag',
    on_move_out: 'reset',
    on_transfer: 'goes_along',
    written_by: 'pms',
    label: 'Exempt from lockout',
    description: 'True permits despite debts and lockout. A move-out resets it.',
    example: false,
  },
  pms_auction: {
    kind: 'flag',
    on_move_out: 'reset',
    on_transfer: 'stays',
    written_by: 'pms',
    label: 'In auction',
    description: 'True while the contents are auctioned: denied. A move-out resets it.',
    example: false,
  },
  pms_unrentable: {
    kind: 'flag',
    on_move_out: 'reset',
    on_transfer: 'stays',
    written_by: 'pms',
    label: 'Not for rent',
    description: 'True if the unit cannot be rented: denied. A move-out resets it.',
    example: false,
  },
  pms_status_raw: {
    kind: 'text',
    on_move_out: 'kept',
    on_transfer: 'stays',
    written_by: 'pms',
    label: 'Status in your own words',
    description:
      'The status in the words of the PMS, at most 1,000 characters, nothing personal. It decides nothing, and a move-out keeps it. Null: none.',
    example: 'Rented',
    longest: 1_000,
  },
} as const satisfies Readonly<Record<string, FactDeclaration>>;

type Catalogue = typeof FACTS;

export type FactName = keyof Catalogue;

/** The facts of a unit, by their names in the API. Events, history and checks use the same names. */
export type UnitFacts = { readonly [Name in FactName]: KindValues[Catalogue[Name]['kind']] };

/** The facts that a write may set directly. Moves set the others. */
export type WritableFact = {
  [Name in FactName]: Catalogue[Name]['written_by'] extends 'pms' ? Name : never;
}[FactName];

export type ChangeableFacts = Pick<UnitFacts, WritableFact>;

export const FACT_NAMES = Object.keys(FACTS) as readonly FactName[];
export const WRITABLE_FACTS = FACT_NAMES.filter(
  (name) => factOf(name).written_by === 'pms',
) as WritableFact[];
/** The facts that a transfer writes to the other unit. A move-in sets the others that go along. */
export const FACTS_THAT_GO_ALONG = WRITABLE_FACTS.filter((name) => factOf(name).on_transfer === 'goes_along');
/** Facts in integer cents. The API shows decimal numbers. */
export const AMOUNT_FACTS: ReadonlySet<string> = new Set(
  FACT_NAMES.filter((name) => factOf(name).kind === 'amount'),
);

/** The facts of a unit that was just created. */
export const VACANT_FACTS = valuesOf(FACT_NAMES) as UnitFacts;
/** The values that a move-out resets facts to (specification §3.2). */
export const FACTS_AFTER_MOVE_OUT: Partial<UnitFacts> = valuesOf(
  FACT_NAMES.filter((name) => factOf(name).on_move_out === 'reset'),
);

/** Undefined for an unknown name. */
export function factOf(name: FactName): FactDeclaration;
export function factOf(name: string): FactDeclaration | undefined;
export function factOf(name: string): FactDeclaration | undefined {
  return (FACTS as Readonly<Record<string, FactDeclaration>>)[name];
}

function valuesOf(names: readonly FactName[]): Partial<UnitFacts> {
  return Object.fromEntries(names.map((name) => [name, RESET_VALUES[factOf(name).kind]]));
}
