import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#kernel/clock.js';
import { CLOCK } from '#kernel/injection-tokens.js';
import { isObject } from '#kernel/core/is-object.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { SecretBox } from '#kernel/secret-box.js';
import { type Deadline, GivenUpError, runYielding, Yielder } from '#kernel/yielder.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import type { OperatorContext } from '#web/request-context.js';
import { SecurityLog } from '#web/security-log.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { BulkSync, type EntryError } from '#api/push/index.js';
import { type FoundField, foundFields, mappingBy, refusedSample } from './core/found-fields.js';
import { type Mapping, valueAt } from './core/mapping.js';
import { credentialOf } from './credential.js';
import { parsePage, renameRows } from './read-rows.js';
import type { SourcePage } from './fetching/page-reader.js';
import { PullFault } from './fetching/pull-fault.js';
import { PullHttp } from './fetching/pull-http.js';
import type { PullSourceRecord } from './pull-sources.js';
import { reasonsIn } from './pull-troubles.js';
import type { PullSourceTested, RejectedRow } from './pull.schemas.js';

/** Milliseconds for the page to arrive. */
const FETCH_TIMEOUT_MS = 8_000;
/** Milliseconds since the request came, waits for a slot included. A request is 503 after ten seconds. */
const LONGEST_TEST_MS = 9_000;
const ROWS_CHECKED = 100;

export const NOTHING_FOUND = {
  entries: 0,
  has_more_pages: false,
  fields: [],
  checked: 0,
  error_count: 0,
  reasons: [],
  rejected: [],
};

/** Large pages beside other large work take longer to read than to fetch. */
const NOT_READ_IN_TIME = {
  code: 'timeout',
  message: 'The page was fetched, but not read and checked in time. A run has more time.',
} as const;

/** When the test must have its answer. */
interface TestEnd extends Deadline {
  /** Milliseconds until then. */
  readonly left: number;
}

type TestedSource = Pick<PullSourceRecord, 'company_id' | 'url' | 'mapping'>;

/** Fetches the first page of a source as a run does, without retries, and checks its first rows. Writes nothing. */
@Injectable()
export class PullSourceTest {
  constructor(
    private readonly http: PullHttp,
    private readonly secrets: SecretBox,
    private readonly clocks: CompanyClocks,
    private readonly locations: LocationDirectory,
    private readonly bulk: BulkSync,
    private readonly security: SecurityLog,
    @Inject(CLOCK) private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /** @throws StoreUnavailableError */
  run(source: PullSourceRecord, context: OperatorContext): Promise<PullSourceTested> {
    const credential = () => credentialOf(source, this.secrets);
    return this.#test(source, credential, context, () => source.mapping);
  }

  /** As `run`, but without a mapping, rows are checked with the one that the fields suggest. @throws StoreUnavailableError */
  runMapped(source: PullSourceRecord, context: OperatorContext): Promise<PullSourceTested> {
    return this.#test(source, () => credentialOf(source, this.secrets), context, mappedOrSuggested(source));
  }

  /** As `runMapped`. @throws StoreUnavailableError */
  runUnsaved(
    source: TestedSource & { readonly auth_header: string | null },
    context: OperatorContext,
  ): Promise<PullSourceTested> {
    return this.#test(source, () => source.auth_header, context, mappedOrSuggested(source));
  }

  /** @param credential may throw PullFault */
  async #test(
    source: TestedSource,
    credential: () => string | null,
    context: OperatorContext,
    mappingOf: (fields: readonly FoundField[]) => Mapping | null,
  ): Promise<PullSourceTested> {
    const { company_id, url } = source;
    const now = await this.clocks.now(company_id);
    const locations = await this.locations.locationsOfCompany(company_id);
    const end = this.#endOf(context);
    const codes = new Set(locations.map((one) => one.pms_location_code));
    this.security.tested(company_id, new URL(url).origin, context);
    try {
      const page = await this.#firstPage(url, credential(), now, end);
      const { units, next } = page;
      const rows = units.slice(0, ROWS_CHECKED);
      const fields = await runYielding(foundFields(rows, source.mapping, codes), new Yielder(end));
      const writer = { ...context, deadline: end };
      const faults = await this.#faultsOf({ ...page, units: rows }, mappingOf(fields), company_id, writer);
      return { failure: null, entries: units.length, has_more_pages: next !== null, fields, ...faults };
    } catch (error) {
      if (error instanceof GivenUpError) return { failure: NOT_READ_IN_TIME, ...NOTHING_FOUND };
      if (!(error instanceof PullFault)) throw error;
      const { code, message } = error;
      const hint = code === 'timeout' ? ' A run waits 30 seconds.' : '';
      return { failure: { code, message: message + hint }, ...NOTHING_FOUND };
    }
  }

  /** The rows that a run would reject. */
  async #faultsOf(
    { units, snapshot_at }: SourcePage,
    mapping: Mapping | null,
    company_id: string,
    context: WriteContext,
  ) {
    const entries = await renameRows(units, mapping);
    const part = { entries, first: 0, seen: new Set<string>(), snapshot_at };
    const writer = { company_id, source: 'pull' } as const;
    const { errors } = await this.bulk.syncPart(writer, part, context, true);
    return {
      checked: units.length,
      error_count: errors.length,
      reasons: reasonsIn(errors),
      rejected: errors.map((error) => rejectedRow(error, entries, mapping ?? {})),
    };
  }

  #endOf({ received_at }: OperatorContext): TestEnd {
    const { clock } = this;
    const left = () => received_at + LONGEST_TEST_MS - clock.now();
    return {
      get left() {
        return left();
      },
      get isOver() {
        return left() <= 0;
      },
    };
  }

  async #firstPage(url: string, auth_header: string | null, now: number, end: TestEnd) {
    if (end.isOver) throw new GivenUpError();
    const credential_origin = new URL(url).origin;
    const within = Math.min(FETCH_TIMEOUT_MS, end.left);
    const page = { url, auth_header, credential_origin, etag: null, within };
    const answer = await this.http.get(page);
    // 304 is wrong here: the request had no `If-None-Match`.
    if (answer.kind === 'not_modified') throw new PullFault('http_status', 'The source answered 304.');
    return parsePage(answer, now, end);
  }
}

const FAULTY_FIELD = /^units\.(\d+)\.(.+)$/;

function rejectedRow(
  { crm_unit_id, error, errors = {} }: EntryError,
  entries: readonly unknown[],
  mapping: Mapping,
): RejectedRow {
  const [, row, field = ''] = FAULTY_FIELD.exec(Object.keys(errors)[0] ?? '') ?? [];
  const entry = entries[Number(row)];
  const given = isObject(entry) ? valueAt(entry, field.split('.')) : undefined;
  const name = Object.keys(mapping).find((one) => mapping[one] === field) ?? field;
  return { crm_unit_id, error, sample: refusedSample(name, field, given) };
}

function mappedOrSuggested({ mapping }: TestedSource) {
  return (fields: readonly FoundField[]) => mapping ?? mappingBy(fields);
}
