import type { Call } from '../injected-request.js';
import type { World } from '../model/world.js';
import type { Random } from '../random.js';

/** The answer that the model expects. */
export interface Expected {
  readonly status: number;
  readonly message?: string;
  /** Members of `data` (or of `errors`, for a 422) that must stand there so. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  /** How many of `data.unchanged` may be counted in `data.updated` instead: whoever was first has changed the person. */
  readonly undecided?: number;
  /** Codes of `data.warnings`, in order; none where absent. */
  readonly warnings?: readonly string[];
}

/**
 * One kind of write to units, with its model. The arguments are plain data in the words of the outside world (no ids of
 * the service), so that a step still means something when others were taken away before it.
 */
export interface Operation<Args> {
  readonly name: string;
  readonly weight: number;
  /** Whether the service takes an Idempotency-Key for it. */
  readonly keyed: boolean;
  plan(world: World, random: Random): Args | undefined;
  /** The same operation on a given unit, for a contest about it; undefined where that makes no sense. */
  planFor?(world: World, random: Random, unit: string): Args | undefined;
  /** The keys of the units that it writes. */
  units(args: Args): readonly string[];
  call(args: Args, world: World): Call;
  /**
   * Does to the world what the service must do and says what it must answer.
   * @param only the units that it reaches; all where absent.
   */
  expect(args: Args, world: World, only?: ReadonlySet<string>): Expected;
  /** Personal details that it carries may, or may not, have been recorded. */
  unsure?(args: Args, world: World): void;
}

/** An operation whose arguments are known to itself only. */
export type AnyOperation = Operation<unknown>;

export function operation<Args>(definition: Operation<Args>): AnyOperation {
  return definition;
}

/** Tools of the harness for an operation that makes its own requests. */
export interface Client {
  /** Sends a request again and again until somebody answers it. */
  definite(call: Call): Promise<Reply>;
  /** Lets time pass. */
  pause(milliseconds: number): Promise<void>;
  /** How many events the log holds for a stream, by whoever keeps the log. */
  eventsOf(stream: string): number;
  random: Random;
}

/** An answer with its body read. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;

  readonly body: Body;
}

/** Whatever JSON came. */
export type Body = ReturnType<typeof JSON.parse>;

/** Several requests one after the other, and what the model says to them. */
export interface Flow<Args> {
  readonly name: string;
  readonly weight: number;
  /** Whether writes to units may run at the same time. */
  readonly beside: boolean;
  /** Faults of the records would make a multi-step login start over; the flow is played without them. */
  readonly wantsRecords?: boolean;
  plan(world: World, random: Random): Args | undefined;
  /** @throws Mismatch */
  play(args: Args, world: World, client: Client): Promise<void>;
}

export type AnyFlow = Flow<unknown>;

export function flow<Args>(definition: Flow<Args>): AnyFlow {
  return definition;
}

/** The service says something else than the model. */
export class Mismatch extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Mismatch';
  }
}

export function demand(holds: boolean, message: () => string): void {
  if (!holds) throw new Mismatch(message());
}

/** An id that the service never made. */
export const NO_ID = '01000000000000000000000000';
