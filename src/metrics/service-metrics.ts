import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { DecisionObserver } from '../access/index.js';
import type { Answered, TrafficObserver } from '../http/traffic-observer.js';
import {
  PULL_OUTCOMES,
  PULLED_UNIT_OUTCOMES,
  type EndedPullRun,
  type PullRunObserver,
} from '../pull/index.js';
import { CODE_OUTCOMES, TRY_OUTCOMES, type LoginObserver } from '../tenants/index.js';
import type { DocumentStore } from '../documents/document-store.js';
import type { EventStore } from '../log/event-store.js';

interface StoreObserver {
  /** @param events the number of events in the append to one stream */
  appended(outcome: 'appended' | 'conflict' | 'failed', events: number): void;
  /** @param seconds from the write to its answer */
  waited(store: 'log' | 'records', seconds: number): void;
}

/** Wraps a store to observe its appends. */
export function measuredLog(store: EventStore, observer: StoreObserver): EventStore {
  return {
    append: async (appends) => {
      const begun = performance.now();
      try {
        const outcomes = await store.append(appends);
        outcomes.forEach(({ kind }, index) => observer.appended(kind, appends[index]!.events.length));
        return outcomes;
      } catch (error) {
        for (const { events } of appends) observer.appended('failed', events.length);
        throw error;
      } finally {
        observer.waited('log', secondsSince(begun));
      }
    },
    readStream: (stream, options) => store.readStream(stream, options),
    readAll: (options) => store.readAll(options),
    head: () => store.head(),
    subscribe: (after, handler) => store.subscribe(after, handler),
    ping: () => store.ping(),
    close: () => store.close(),
  };
}

/** Wraps a store to observe its writes. */
export function measuredRecords(store: DocumentStore, observer: StoreObserver): DocumentStore {
  return {
    write: async (writes, options) => {
      const begun = performance.now();
      try {
        return await store.write(writes, options);
      } finally {
        observer.waited('records', secondsSince(begun));
      }
    },
    collection: (declaration) => store.collection(declaration),
    takeLease: (name, owner, milliseconds) => store.takeLease(name, owner, milliseconds),
    renewLease: (lease) => store.renewLease(lease),
    releaseLease: (lease) => store.releaseLease(lease),
    count: (name, by, milliseconds) => store.count(name, by, milliseconds),
    ping: () => store.ping(),
    close: () => store.close(),
  };
}

function secondsSince(begun: number): number {
  return (performance.now() - begun) / 1_000;
}

const ANSWER_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const RUN_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800];

/** All other methods count as `other`, so that clients cannot add values. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

type Observer = TrafficObserver & LoginObserver & DecisionObserver & PullRunObserver & StoreObserver;

/**
 * Metrics of one running service. Values of labels come from the code, not from callers. So their number is bounded, and
 * none contains personal data.
 */
export class ServiceMetrics implements Observer {
  readonly registry = new Registry();

  readonly #answers = new Histogram({
    name: 'storage_access_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer, by method, pattern of the route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: ANSWER_SECONDS,
    registers: [this.registry],
  });
  readonly #limited = this.#counter('rate_limited_total', 'Requests that a limit refused.', 'policy');
  readonly #asked = this.#counter(
    'login_codes_total',
    'Codes that were asked for, by the answer.',
    'outcome',
  );
  readonly #tried = this.#counter('login_tries_total', 'Codes that were tried.', 'outcome');
  readonly #decided = this.#counter(
    'decisions_total',
    'Decisions about rented units that changed.',
    'state',
    'reason',
  );
  readonly #appends = this.#counter('appends_total', 'Appends to a stream of the event log.', 'outcome');
  readonly #events = this.#counter('events_appended_total', 'Events appended to the log.');
  readonly #commits = new Histogram({
    name: 'storage_access_commit_wait_seconds',
    help: 'Time that a write to the log or the records waited until it was durable.',
    labelNames: ['store'],
    buckets: COMMIT_SECONDS,
    registers: [this.registry],
  });
  readonly #runs = this.#counter('pull_runs_total', 'Runs of pull sources that ended.', 'outcome');
  readonly #runSeconds = new Histogram({
    name: 'storage_access_pull_run_duration_seconds',
    help: 'Time that runs of pull sources took.',
    buckets: RUN_SECONDS,
    registers: [this.registry],
  });
  readonly #pulled = this.#counter('pull_units_total', 'Units that runs have read.', 'outcome');
  readonly #lag = this.#gauge('projection_lag_events', 'Events that the views do not show, up to 1000.');
  readonly #stalled = this.#gauge('projection_stalled', 'Whether the views have stopped or cannot be read.');

  constructor() {
    // Prometheus can compute a rate only if the counter starts at 0.
    for (const outcome of CODE_OUTCOMES) this.#asked.inc({ outcome }, 0);
    for (const outcome of TRY_OUTCOMES) this.#tried.inc({ outcome }, 0);
    for (const outcome of PULL_OUTCOMES) this.#runs.inc({ outcome }, 0);
    for (const outcome of PULLED_UNIT_OUTCOMES) this.#pulled.inc({ outcome }, 0);
    for (const outcome of ['appended', 'conflict', 'failed']) this.#appends.inc({ outcome }, 0);
  }

  answered({ method, route = 'none', status, isAdmitted, seconds }: Answered): void {
    const known = METHODS.has(method) ? method : 'other';
    const isRefusal = status !== undefined && status >= 400 && status < 500;
    // Without a credential, callers choose among refusals at will.
    const label = isRefusal && !isAdmitted ? '4xx' : (status ?? 'aborted');
    this.#answers.observe({ method: known, route, status: label }, seconds);
  }

  limited(policy: string): void {
    this.#limited.inc({ policy });
  }

  codeAsked(outcome: (typeof CODE_OUTCOMES)[number]): void {
    this.#asked.inc({ outcome });
  }

  codeTried(outcome: (typeof TRY_OUTCOMES)[number]): void {
    this.#tried.inc({ outcome });
  }

  decided({ state, reason }: Parameters<DecisionObserver['decided']>[0]): void {
    this.#decided.inc({ state, reason: reason ?? 'none' });
  }

  appended(outcome: 'appended' | 'conflict' | 'failed', events: number): void {
    this.#appends.inc({ outcome });
    if (outcome === 'appended') this.#events.inc(events);
  }

  waited(store: 'log' | 'records', seconds: number): void {
    this.#commits.observe({ store }, seconds);
  }

  pulled({ outcome, seconds, units }: EndedPullRun): void {
    this.#runs.inc({ outcome });
    if (seconds !== null) this.#runSeconds.observe(seconds);
    for (const one of PULLED_UNIT_OUTCOMES) this.#pulled.inc({ outcome: one }, units[one]);
  }

  /** @param lag events; null: unknown */
  projection(lag: number | null, stalled: boolean): void {
    this.#lag.set(lag ?? NaN);
    this.#stalled.set(stalled ? 1 : 0);
  }

  #counter(name: string, help: string, ...labelNames: string[]): Counter {
    return new Counter({ name: `storage_access_${name}`, help, labelNames, registers: [this.registry] });
  }

  #gauge(name: string, help: string): Gauge {
    return new Gauge({ name: `storage_access_${name}`, help, registers: [this.registry] });
  }
}
