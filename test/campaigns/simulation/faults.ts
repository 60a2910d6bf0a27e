import type { Random } from './random.js';

/** How the stores of a run may be shared, which decides what may go wrong between them and a process. */
export const DEPLOYMENTS = [
  /** One process; log and records commit in the order asked for, and fail together. */
  'embedded',
  /** One process on stores that are reached over a network. */
  'single',
  /** Two processes on stores that are reached over a network. */
  'cluster',
] as const;

export type Deployment = (typeof DEPLOYMENTS)[number];

/** Faults of a call. */
export type Fault =
  | 'none'
  /** Nothing was stored, and the caller knows it. */
  | 'refused'
  /** Nothing was stored, and the caller does not know. */
  | 'dropped'
  /** It was stored, and the caller does not know. */
  | 'lost'
  /** The caller gives up, and then it is stored. */
  | 'late'
  /** An append finds the stream moved on where it was not. */
  | 'spurious_conflict'
  /** An append was stored, sent again on the way, and told to have met a conflict: its own. */
  | 'own_conflict'
  /** The call arrives twice. */
  | 'repeated'
  /** Some of several compare-and-sets were stored, and the store cannot say which. */
  | 'unclear';

export type CallKind = 'read' | 'write' | 'append';

export type Target = 'events' | 'records' | 'views';

/** Whether a process has the store in itself: what it commits is in the order asked for, and a failure has stored nothing. */
export function isEmbedded(deployment: Deployment): boolean {
  return deployment === 'embedded';
}

/** How likely faults are, in one step. All zero: none. */
export interface FaultRates {
  readonly records: number;
  readonly events: number;
  readonly views: number;
  /** How often an answer takes longer than its call, so that others come between. */
  readonly delay: number;
}

/** How many of the deliveries come much later, where answers take long at all. */
const LAGS = 0.2;

export const NO_FAULTS: FaultRates = { records: 0, events: 0, views: 0, delay: 0 };

const ON_READS: readonly Fault[] = ['refused'];
const ON_WRITES: readonly Fault[] = ['refused', 'dropped', 'lost', 'late', 'repeated'];
/** Where it can be, which is rare, it is likely. */
const ON_COUNTED: readonly Fault[] = [...ON_WRITES, ...Array<Fault>(5).fill('unclear')];
const ON_APPENDS: readonly Fault[] = [...ON_WRITES, 'lost', 'spurious_conflict', 'own_conflict'];

/** Draws what becomes of each call. */
export class Faults {
  rates: FaultRates = NO_FAULTS;
  /** How many there were, of each kind. */
  readonly counts = new Map<string, number>();

  constructor(
    public random: Random,
    private readonly deployment: Deployment,
  ) {}

  /** @param isCounted whether the store may know of the call in totals only. */
  draw(target: Target, kind: CallKind, isCounted: boolean): Fault {
    const rate = this.rates[target];
    if (rate === 0 || !this.random.chance(rate)) return 'none';
    const fault = this.random.pick(this.possible(target, kind, isCounted));
    if (fault === 'none') return fault;
    this.counts.set(fault, (this.counts.get(fault) ?? 0) + 1);
    return fault;
  }

  /** Whether what is delivered of the log comes much later. */
  lags(): boolean {
    return this.rates.delay > 0 && this.random.chance(LAGS);
  }

  delays(): boolean {
    return this.rates.delay > 0 && this.random.chance(this.rates.delay);
  }

  private possible(target: Target, kind: CallKind, isCounted: boolean): readonly Fault[] {
    // A store in the same process answers reads; a commit of its that fails, on a full disk, has stored nothing.
    const isOwn = isEmbedded(this.deployment);
    if (isOwn && target !== 'views') return [kind === 'read' ? 'none' : 'refused'];
    if (kind === 'read') return ON_READS;
    if (kind === 'append') return ON_APPENDS;
    return isCounted && !isOwn ? ON_COUNTED : ON_WRITES;
  }
}
