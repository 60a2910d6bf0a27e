/** How long rejected rows of a push are told, in milliseconds. */
export const REJECTED_WITHIN_MS = 24 * 60 * 60_000;

const REASONS = 5;
const UNITS_PER_REASON = 3;

/** A bulk with rejected rows. Besides identifiers of units it names no value of a row, because values may be personal. */
export interface RejectedBulk {
  /** Milliseconds. */
  readonly at: number;
  readonly total: number;
  /** How many rows were rejected. */
  readonly error_count: number;
  /** True: the request was refused, and nothing of it was written. */
  readonly refused: boolean;
  /** The first reasons, each once. */
  readonly reasons: readonly RejectionReason[];
}

/** The rows of a bulk that are of one location: of a unit there, or of a new unit that was to be there. */
export interface RejectedAtSite extends Omit<RejectedBulk, 'at'> {
  readonly location_id: string;
}

export interface RejectionReason {
  readonly code: string;
  /** Null if no known field is at fault. */
  readonly field: string | null;
  readonly message: string;
  readonly rows: number;
  /** Of the first rows. A row without a valid identifier is left out. */
  readonly crm_unit_ids: readonly string[];
}

/** The first reasons, each once, with all their rows and the first units. */
export function joinReasons(all: readonly RejectionReason[]): readonly RejectionReason[] {
  const joined = new Map<string, RejectionReason>();
  for (const reason of all) {
    const key = `${reason.code} ${reason.field} ${reason.message}`;
    const before = joined.get(key);
    if (before === undefined && joined.size >= REASONS) continue;
    const crm_unit_ids = [...(before?.crm_unit_ids ?? []), ...reason.crm_unit_ids];
    joined.set(key, {
      ...reason,
      rows: (before?.rows ?? 0) + reason.rows,
      crm_unit_ids: crm_unit_ids.slice(0, UNITS_PER_REASON),
    });
  }
  return [...joined.values()];
}

/** Parts of one bulk as one. There must be at least one. */
export function joinRejections(parts: readonly RejectedBulk[]): RejectedBulk {
  return parts.reduce((joined, part) => ({
    ...joined,
    total: joined.total + part.total,
    error_count: joined.error_count + part.error_count,
    reasons: joinReasons([...joined.reasons, ...part.reasons]),
  }));
}
