import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CompanyClocks } from '#domain/companies/index.js';
import type { Ids } from '#kernel/ids.js';
import type { Clock } from '#kernel/clock.js';
import { CLOCK, IDS, RECORDS } from '#kernel/injection-tokens.js';
import { SecretBox } from '#kernel/secret-box.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { type HeldLease, waitForLease } from '#eventsourcing/documents/take-lease.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { KeyedMutex } from '#kernel/keyed-mutex.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import type { Mapping } from './core/mapping.js';
import { termsOf } from './core/pull-source.decide.js';
import type { PullSourceField, PullSourceTerms } from './core/pull-source.events.js';
import { type PullRunRecord, PullRuns } from './pull-runs.js';
import { PullScheduler } from './pull-scheduler.js';
import { type PullSettings, type PullSourceRecord, PullSources } from './pull-sources.js';
import { WritePullSource } from './write-pull-source.js';

/** The settings of a source in a request. */
export interface StatedPullSource {
  readonly name: string;
  readonly url: string;
  readonly url_by_admin: boolean;
  /** The value of the `Authorization` header. Null: none. */
  readonly auth_header: string | null;
  readonly interval_seconds: number;
  readonly mapping: Mapping | null;
}

export type PullSourceChanges = Partial<StatedPullSource & Pick<PullSettings, 'enabled'>>;

/**
 * Adds and changes pull sources, and requests runs. Each event is stored before the record. No event holds a secret.
 * Every method throws StoreUnavailableError and WriteContendedError.
 */
@Injectable()
export class PullSourceWrites {
  readonly #mutex = new KeyedMutex();

  constructor(
    private readonly sources: PullSources,
    private readonly runs: PullRuns,
    private readonly commands: CommandBus,
    private readonly secrets: SecretBox,
    private readonly clocks: CompanyClocks,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(RECORDS) private readonly records: DocumentStore,
    private readonly scheduler: PullScheduler,
  ) {}

  /** Adds a source. Its first run is one interval from now. */
  async add(
    company_id: string,
    { auth_header, ...stated }: StatedPullSource,
    context: WriteContext,
  ): Promise<PullSourceRecord> {
    const _id = context.command_id;
    const created_at = await this.clocks.now(company_id);
    const sealed_auth = auth_header === null ? null : this.secrets.seal(auth_header, _id);
    const source: PullSourceRecord = {
      _id,
      version: 1,
      company_id,
      ...stated,
      sealed_auth,
      enabled: true,
      created_at,
      turn: 1,
      next_run_at: created_at + stated.interval_seconds * 1_000,
      requested_run_id: null,
      running: null,
      run_id: null,
    };
    const command = {
      type: 'AddPullSource',
      pull_source_id: _id,
      company_id,
      terms: termsOf(source),
    } as const;
    await this.commands.execute(new WritePullSource(source, command, context));
    await this.sources.insert(source);
    this.scheduler.wake();
    return source;
  }

  /**
   * @param check throws if the change is not allowed. It gets the record that will be replaced.
   * @returns undefined if there is no such source
   */
  async change(
    pull_source_id: string,
    changes: PullSourceChanges,
    context: WriteContext,
    check: (before: PullSourceRecord) => Promise<void>,
  ): Promise<PullSourceRecord | undefined> {
    return this.#alone(pull_source_id, context, async (lease) => {
      const before = await this.sources.byId(pull_source_id);
      if (before === undefined) return undefined;
      await check(before);
      return this.#write(before, changes, context, lease);
    });
  }

  /** Runs work while no other call changes the source, in any process. */
  async #alone<T>(
    pull_source_id: string,
    { deadline }: WriteContext,
    work: (lease: HeldLease) => Promise<T>,
  ): Promise<T> {
    const name = `pull_source ${pull_source_id}`;
    return this.#mutex.run([name], async () => {
      const { records: leases, clock, ids } = this;
      const lease = await waitForLease({ leases, clock, name, owner: ids.ulid() }, deadline);
      try {
        return await work(lease);
      } finally {
        await lease.release();
      }
    });
  }

  async #write(
    before: PullSourceRecord,
    changes: PullSourceChanges,
    context: WriteContext,
    { demand }: HeldLease,
  ): Promise<PullSourceRecord> {
    const wanted = this.#settings(before, changes);
    const settings = differingSettings(before, wanted);
    const terms = termsOf({ ...before, ...wanted });
    const now = await this.clocks.now(before.company_id);
    await demand();
    await this.commands.execute(
      new WritePullSource(before, { type: 'ChangePullSource', terms, settings }, context),
    );
    await demand();
    const after = await this.sources.change(before._id, (source) =>
      isAsChecked(source, before) ? this.#changed(source, wanted, now) : undefined,
    );
    if (after === undefined)
      throw new StoreUnavailableError('The pull source is being changed by another process.', true);
    this.scheduler.wake();
    return after;
  }

  /** Returns the run that is under way or waiting. If there is none, starts a new one. */
  async requestRun({ _id }: PullSourceRecord, context: WriteContext): Promise<PullRunRecord> {
    return this.#alone(_id, context, async ({ demand }) => {
      const source = (await this.sources.byId(_id))!;
      const run_id = this.ids.ulid();
      const now = await this.clocks.now(source.company_id);
      const ended_run_id = await this.#endedRun(source);
      const request = (current: PullSourceRecord) => requestIn(current, { run_id, now, ended_run_id });
      if (request(source) === undefined) return this.#currentRun(source, now);
      await demand();
      await this.commands.execute(new WritePullSource(source, { type: 'RequestPullRun', run_id }, context));
      const taken = await this.sources.change(_id, request);
      if (taken === undefined) return this.#currentRun(source, now);
      const run = this.runs.draft(run_id, source, now);
      await this.runs.insert(run);
      this.scheduler.wake();
      return (await this.runs.byId(run_id)) ?? run;
    });
  }

  /** The id of the last run if it has ended. The source's record may show it as running for a moment longer. */
  async #endedRun({ run_id }: PullSourceRecord): Promise<string | undefined> {
    const run = run_id === null ? undefined : await this.runs.byId(run_id);
    return run === undefined || run.finished_at === null ? undefined : run._id;
  }

  async #currentRun(source: PullSourceRecord, now: number): Promise<PullRunRecord> {
    const current = (await this.sources.byId(source._id))!;
    const run_id = current.requested_run_id ?? current.run_id!;
    return (await this.runs.byId(run_id)) ?? this.runs.draft(run_id, source, now);
  }

  #settings({ _id }: PullSourceRecord, changes: PullSourceChanges): Partial<PullSettings> {
    const { auth_header, ...others } = changes;
    if (auth_header === undefined) return others;
    return { ...others, sealed_auth: auth_header === null ? null : this.secrets.seal(auth_header, _id) };
  }

  #changed(source: PullSourceRecord, wanted: Partial<PullSettings>, now: number): Partial<PullSourceRecord> {
    const after = { ...source, ...wanted };
    const turn = source.turn + (differingSettings(source, wanted).length > 0 ? 1 : 0);
    return { ...wanted, turn, next_run_at: nextRunAt(source, after, now) };
  }
}

/** The fields of a source that request a run; undefined if a run is waiting or under way. */
function requestIn(
  { requested_run_id, running, run_id: current_run_id }: PullSourceRecord,
  wanted: { readonly run_id: string; readonly now: number; readonly ended_run_id: string | undefined },
): Partial<PullSourceRecord> | undefined {
  const { run_id, now, ended_run_id } = wanted;
  const isWaiting = requested_run_id !== null;
  if (isWaiting) return undefined;
  if (running === null) return { requested_run_id: run_id, next_run_at: now };
  // The scheduler is about to note the end of the run, and then starts the requested one.
  const hasEnded = current_run_id === ended_run_id;
  return hasEnded ? { requested_run_id: run_id } : undefined;
}

/** True if the fields that the check has read are unchanged. They may change if this process slept and lost the lease. */
function isAsChecked(source: PullSourceRecord, checked: PullSourceRecord): boolean {
  return (
    source.url === checked.url &&
    source.url_by_admin === checked.url_by_admin &&
    source.sealed_auth === checked.sealed_auth
  );
}

/** A credential in a request always counts as changed, because it is never compared with the stored one. */
function differingSettings(
  before: PullSettings,
  wanted: Partial<PullSettings>,
): Exclude<PullSourceField, keyof PullSourceTerms>[] {
  const fields: Exclude<PullSourceField, keyof PullSourceTerms>[] = [];
  if (wanted.url !== undefined && wanted.url !== before.url) fields.push('url');
  if (wanted.sealed_auth !== undefined && wanted.sealed_auth !== before.sealed_auth)
    fields.push('auth_header');
  if (wanted.mapping !== undefined && JSON.stringify(wanted.mapping) !== JSON.stringify(before.mapping))
    fields.push('mapping');
  return fields;
}

/** The next run of a source after a change of its settings. */
function nextRunAt(before: PullSourceRecord, after: PullSourceRecord, now: number): number | null {
  if (before.running !== null || before.requested_run_id !== null) return before.next_run_at;
  if (!after.enabled) return null;
  const isUnchanged = before.enabled && before.interval_seconds === after.interval_seconds;
  return isUnchanged ? before.next_run_at : now + after.interval_seconds * 1_000;
}
