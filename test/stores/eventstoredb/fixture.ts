import {
  EventStoreDbEventStore,
  type EventStoreDbOptions,
  type EventStoreDbTimings,
} from '#stores/eventstoredb/index.js';
import { EventStoreDbDouble, type DoubleOptions } from '../../support/eventstoredb-double/index.js';
import type { ManualClock } from '../../support/manual-clock.js';
import { HUNG, waitUntil } from '../../support/wait-until.js';

/**
 * Tries again soon, and gives up only where it hangs: tests of a deadline that passes bring their own. A try that a busy
 * machine takes too long for is made again, so tests that count tries use {@link PATIENT}.
 */
export const QUICK: EventStoreDbTimings = {
  appendAttempt: 400,
  appendDeadline: 60_000,
  readSilence: 400,
  readDeadline: 60_000,
  pingDeadline: 60_000,
  subscribeConfirmation: 400,
  backOff: { first: 5, longest: 50 },
  closeDeadline: 60_000,
  disposeDeadline: 200,
};

/** Makes no second try of its own accord. */
export const PATIENT: EventStoreDbTimings = {
  ...QUICK,
  appendAttempt: HUNG,
  readSilence: HUNG,
  subscribeConfirmation: HUNG,
};

/**
 * The client asks a silent server after the interval, and gives it up after the timeout: 10 s each in production. A busy
 * machine is silent for as long as the timeout, so only tests of a silent server use them.
 */
export const QUICK_KEEP_ALIVE = ['keepAliveInterval=20', 'keepAliveTimeout=150'];

export interface Bench {
  readonly double: EventStoreDbDouble;
  readonly store: EventStoreDbEventStore;
  readonly log: string[];
}

const open: (() => Promise<void>)[] = [];

/** A double and a store on it; both are closed by {@link closeBenches}. */
export async function bench(
  options: Partial<EventStoreDbOptions> = {},
  doubleOptions: DoubleOptions = {},
  urlOptions: readonly string[] = [],
): Promise<Bench> {
  const double = await startDouble(doubleOptions);
  return { double, ...storeOn(double.url(...urlOptions), options) };
}

export async function startDouble(options: DoubleOptions = {}): Promise<EventStoreDbDouble> {
  const double = await EventStoreDbDouble.start({ longestDeadline: 200, ...options });
  open.push(() => double.close());
  return double;
}

/** One store at a time: clients of one process share state. */
export function storeOn(url: string, options: Partial<EventStoreDbOptions> = {}): Omit<Bench, 'double'> {
  const log: string[] = [];
  const store = new EventStoreDbEventStore({
    url,
    timings: QUICK,
    log: (line) => log.push(line),
    ...options,
  });
  open.push(() => store.close());
  return { store, log };
}

/** A step of the time that passes where a server is silent: nothing it could do in smaller ones. */
export const SILENCE = 10_000;

/** Lets time pass, step by step, until a call of a server that is silent or gone has ended. */
export async function whileTimePasses<Value>(
  clock: ManualClock,
  call: Promise<Value>,
  step = 1_000,
): Promise<Value> {
  let ended = false;
  const end = () => (ended = true);
  call.then(end, end);
  await waitUntil(() => {
    if (!ended) clock.advance(step);
    return ended;
  });
  return call;
}

/** Closes stores before their servers. */
export async function closeBenches(): Promise<void> {
  for (const close of open.splice(0).reverse()) await close();
}

/** The client advises against intervals as short as the tests need, on every start. */
export function silenceKeepAliveAdvice(): void {
  jest.spyOn(console, 'warn').mockImplementation((...parts: unknown[]) => {
    if (!/KeepAliveInterval/.test(String(parts[0]))) console.info(...parts);
  });
}
