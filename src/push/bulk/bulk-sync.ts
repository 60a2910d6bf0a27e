import { Injectable } from '@nestjs/common';
import { toTimestamp } from '../../config/clock.js';
import { CompanyClocks } from '../../companies/index.js';
import type { WriteContext } from '../../writing/write-context.js';
import type { ApiError, FieldErrors } from '../../http/index.js';
import { refusalOfEntry } from '../refusals.js';
import type { Writer } from '../../units/index.js';
import type { WriteWarning } from '../unit-write-warnings.js';
import { type WarnedOutcome, WarnedWrites } from '../warned-writes.js';
import { LARGEST_BULK, readBulk, type ReadEntry, writesOf } from './bulk-entries.js';

/** The answer to a bulk upsert (specification §4.1): `total` = created + updated + unchanged + errors. */
export interface BulkResult {
  readonly synced_at: string;
  readonly total: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** In the order of the request. */
  readonly errors: readonly EntryError[];
  readonly warnings?: readonly (WriteWarning & { readonly crm_unit_id: string })[];
}

/** Why one entry was not applied. */
export interface EntryError {
  readonly crm_unit_id: string;
  /** All messages in one text, each after the path that it is about. */
  readonly error: string;
  readonly code: string;
  /** The messages by path, where fields are at fault. */
  readonly errors?: FieldErrors;
}

/**
 * So many messages an answer tells in whole; of each further entry it tells the first and counts the others. Answers are
 * kept for a day where there is a key, and must not grow to a multiple of what was sent.
 */
const MOST_MESSAGES = 500;

/** Upserts many units, each standing or falling on its own. */
@Injectable()
export class BulkSync {
  constructor(
    private readonly writes: WarnedWrites,
    private readonly clocks: CompanyClocks,
  ) {}

  /** @throws ApiError 422 where the request as a whole is malformed. @throws StoreUnavailableError */
  async sync(
    writer: Writer,
    body: Readonly<Record<string, unknown>>,
    context: WriteContext,
    dryRun: boolean,
  ): Promise<BulkResult> {
    const entries = readBulk(body, LARGEST_BULK);
    const outcomes = await this.writes.write(writer, writesOf(entries), context, dryRun);
    return this.#summarize(entries, outcomes, writer);
  }

  /**
   * The same of a source that may send any number of entries: as many at a time as a request may carry.
   * @param nextContext called before each part is written; what it throws ends the sync where it is
   */
  async syncAll(
    writer: Writer,
    body: Readonly<Record<string, unknown>>,
    nextContext: () => Promise<WriteContext>,
  ): Promise<BulkResult> {
    const entries = readBulk(body, undefined);
    const writes = writesOf(entries);
    const outcomes: WarnedOutcome[] = [];
    while (outcomes.length < writes.length) {
      const part = writes.slice(outcomes.length, outcomes.length + LARGEST_BULK);
      outcomes.push(...(await this.writes.write(writer, part, await nextContext())));
    }
    return this.#summarize(entries, outcomes, writer);
  }

  async #summarize(
    entries: readonly ReadEntry[],
    outcomes: readonly WarnedOutcome[],
    writer: Writer,
  ): Promise<BulkResult> {
    const at = syncedAt(outcomes) ?? (await this.clocks.now(writer.company_id));
    return summarize(entries, outcomes, writer, toTimestamp(at));
  }
}

/** The instant of what was written, so that a retry which finds it in the log says the same; undefined for nothing. */
function syncedAt(outcomes: readonly WarnedOutcome[]): number | undefined {
  const instants = outcomes.flatMap((one) => (one.kind === 'done' && one.changed ? [one.applied_at] : []));
  return instants.length === 0 ? undefined : instants.reduce((last, one) => Math.max(last, one));
}

function summarize(
  entries: readonly ReadEntry[],
  outcomes: readonly WarnedOutcome[],
  writer: Writer,
  synced_at: string,
): BulkResult {
  const counts = { created: 0, updated: 0, unchanged: 0 };
  const { done, errors } = partedOutcomes(entries, outcomes, writer);
  const warnings: (WriteWarning & { crm_unit_id: string })[] = [];
  for (const { crm_unit_id, outcome } of done) {
    counts[outcome.created ? 'created' : outcome.changed ? 'updated' : 'unchanged'] += 1;
    for (const warning of outcome.warnings) warnings.push({ crm_unit_id, ...warning });
  }
  const result = { synced_at, total: entries.length, ...counts, errors };
  return warnings.length === 0 ? result : { ...result, warnings };
}

type Done = WarnedOutcome & { readonly kind: 'done' };

/** What was done and what was not, each in the order of the request. @param outcomes those of the entries that are writes */
export function partedOutcomes(
  entries: readonly ReadEntry[],
  outcomes: readonly WarnedOutcome[],
  { source }: Writer,
): { readonly done: readonly { crm_unit_id: string; outcome: Done }[]; readonly errors: EntryError[] } {
  const done: { crm_unit_id: string; outcome: Done }[] = [];
  const errors = new EntryErrors();
  let next = 0;
  entries.forEach((entry, place) => {
    const { crm_unit_id } = entry;
    if ('fault' in entry) return errors.add(crm_unit_id, entry.fault);
    const outcome = outcomes[next++]!;
    if (outcome.kind === 'done') done.push({ crm_unit_id, outcome });
    else errors.add(crm_unit_id, refusalOfEntry(outcome.refusal, source, `units.${place}`));
  });
  return { done, errors: errors.all };
}

/** The errors of one answer, in order. */
class EntryErrors {
  readonly all: EntryError[] = [];
  #told = 0;

  add(crm_unit_id: string, { message, code, errors }: ApiError): void {
    if (errors === undefined) return void this.all.push({ crm_unit_id, error: message, code });
    const paths = Object.entries(errors);
    const told = paths.slice(0, Math.max(1, MOST_MESSAGES - this.#told));
    this.#told += told.length;
    const texts = told.flatMap(([path, messages]) => messages.map((text) => `${path}: ${text}`));
    if (told.length < paths.length) texts.push(`And ${paths.length - told.length} more.`);
    this.all.push({ crm_unit_id, error: texts.join(' '), code, errors: Object.fromEntries(told) });
  }
}
