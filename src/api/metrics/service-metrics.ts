import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { RENTED_UNIT_DECISIONS, type DecisionObserver, type ObservedDecision } from '#domain/access/index.js';
import { ANNOUNCED_CAUSES, type AnnouncementObserver } from '#domain/announcements/index.js';
import { NOTICE_OUTCOMES, type NoticeObserver } from '#domain/notices/index.js';
import { COUNTED_MAILS, type CountedMail, type SummaryObserver } from '#domain/summaries/index.js';
import type { Answered, TrafficObserver } from '#web/traffic-observer.js';
import { PULL_OUTCOMES, PULLED_UNIT_OUTCOMES, type EndedPullRun, type PullRunObserver } from '#pull/index.js';
import { WEBHOOK_OUTCOMES, type WebhookObserver, type WebhookOutcome } from '#domain/webhooks/index.js';
import { CODE_OUTCOMES, TRY_OUTCOMES, type LoginObserver } from '#domain/tenants/index.js';
import type { ProjectionLagState } from '#web/health.js';
import type { StoreObserver } from './measured-stores.js';

function labelsOf({ state, reason }: ObservedDecision) {
  return { state, reason: reason ?? 'none' };
}

const ANSWER_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const RUN_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800];

/** All other methods count as `other`, so that clients cannot add values. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

type Observer = TrafficObserver &
  LoginObserver &
  DecisionObserver &
  PullRunObserver &
  AnnouncementObserver &
  WebhookObserver &
  NoticeObserver &
  SummaryObserver &
  StoreObserver;

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
  readonly #announced = this.#counter(
    'access_changes_announced_total',
    'Changes of access that were announced.',
    'cause',
  );
  readonly #webhookTries = this.#counter('webhook_tries_total', 'Tries to send a message.', 'outcome');
  readonly #webhookAge = this.#gauge(
    'webhook_oldest_pending_seconds',
    'Age of the oldest message that waits for a webhook that is on. 0 if none waits.',
  );
  readonly #notices = this.#counter(
    'notices_total',
    'Texts to tenants about their access. delayed: the budget was full, and the text is sent later.',
    'outcome',
  );
  readonly #summaries = this.#counter(
    'summaries_total',
    'Morning mails to operators. unreachable and deferred: the mail is tried again until noon.',
    'outcome',
  );
  readonly #lag = this.#gauge(
    'projection_lag_events',
    'Events not checked in the views yet, up to 1000. Each is checked a second after it came.',
  );
  readonly #lagSeconds = this.#gauge('projection_lag_seconds', 'Age of the oldest event not checked yet.');
  readonly #stalled = this.#gauge('projection_stalled', 'Whether the views have stopped or cannot be read.');

  readonly #damaged = this.#gauge('damaged_streams', 'Streams of this service that somebody damaged.');

  constructor() {
    // Prometheus sees the first increase of a series only if the series was there before, at 0.
    const byOutcome = [
      [this.#asked, CODE_OUTCOMES],
      [this.#tried, TRY_OUTCOMES],
      [this.#runs, PULL_OUTCOMES],
      [this.#pulled, PULLED_UNIT_OUTCOMES],
      [this.#webhookTries, WEBHOOK_OUTCOMES],
      [this.#summaries, COUNTED_MAILS],
      [this.#notices, [...NOTICE_OUTCOMES, 'delayed']],
      [this.#appends, ['appended', 'conflict', 'failed']],
    ] as const;
    for (const [counter, outcomes] of byOutcome) for (const outcome of outcomes) counter.inc({ outcome }, 0);
    for (const cause of ANNOUNCED_CAUSES) this.#announced.inc({ cause }, 0);
    for (const decision of RENTED_UNIT_DECISIONS) this.#decided.inc(labelsOf(decision), 0);
  }

  answered({ method, route = 'none', status, isAdmitted, seconds }: Answered): void {
    const known = METHODS.has(method) ? method : 'other';
    const isRefusal = status !== undefined && status >= 400 && status < 500;
    // Without a credential, callers choose among refusals at will.
    const label = isRefusal && !isAdmitted ? '4xx' : (status ?? 'aborted');
    this.#answers.observe({ method: known, route, status: label }, seconds);
  }

  limitDefined(policy: string): void {
    this.#limited.inc({ policy }, 0);
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

  decided(decision: ObservedDecision): void {
    this.#decided.inc(labelsOf(decision));
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

  countAnnouncement(cause: (typeof ANNOUNCED_CAUSES)[number]): void {
    this.#announced.inc({ cause });
  }

  countNotice(outcome: Parameters<NoticeObserver['countNotice']>[0]): void {
    this.#notices.inc({ outcome });
  }

  countSummary(outcome: CountedMail): void {
    this.#summaries.inc({ outcome });
  }

  countTry(outcome: WebhookOutcome): void {
    this.#webhookTries.inc({ outcome });
  }

  oldestPendingMessage(seconds: number): void {
    this.#webhookAge.set(seconds);
  }

  projection({ lag, age_ms, stalled }: ProjectionLagState): void {
    this.#lag.set(lag ?? NaN);
    this.#lagSeconds.set(age_ms === null ? NaN : age_ms / 1_000);
    this.#stalled.set(stalled ? 1 : 0);
  }

  damagedStreams(count: number): void {
    this.#damaged.set(count);
  }

  #counter(name: string, help: string, ...labelNames: string[]): Counter {
    return new Counter({ name: `storage_access_${name}`, help, labelNames, registers: [this.registry] });
  }

  #gauge(name: string, help: string): Gauge {
    return new Gauge({ name: `storage_access_${name}`, help, registers: [this.registry] });
  }
}
