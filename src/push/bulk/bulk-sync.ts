import { Inject, Injectable } from '@nestjs/common';
import { type Clock, toTimestamp } from '../../config/clock.js';
import { CLOCK } from '../../config/injection-tokens.js';
import type { WriteContext } from '../../writing/write-context.js';
import type { ApiError, FieldErrors } from '../../http/index.js';
import { refusalOfEntry } from '../refusals.js';
import type { StatedWrite, Writer } from '../../units/index.js';
import type { WriteWarning } from '../unit-write-warnings.js';
import { type WarnedOutcome, WarnedWrites } from '../warned-writes.js';
import { readBulk, type ReadEntry } from './bulk-entries.js';

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

/** Upserts many units, each standing or falling on its own. */
@Injectable()
export class BulkSync {
  constructor(
    private readonly writes: WarnedWrites,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * @param limit most entries; undefined for a source that may send any number.
   * @throws ApiError 422 where the request as a whole is malformed. @throws StoreUnavailableError
   */
  async sync(
    writer: Writer,
    body: Readonly<Record<string, unknown>>,
    context: WriteContext,
    options: { readonly dryRun: boolean; readonly limit: number | undefined },
  ): Promise<BulkResult> {
    const entries = readBulk(body, options.limit);
    const writes = entries.flatMap((entry): StatedWrite[] => ('write' in entry ? [entry.write] : []));
    const outcomes = await this.writes.write(writer, writes, context, options.dryRun);
    return summarize(entries, outcomes, writer, toTimestamp(syncedAt(outcomes) ?? this.clock.now()));
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
  const errors: EntryError[] = [];
  const warnings: (WriteWarning & { crm_unit_id: string })[] = [];
  let next = 0;
  entries.forEach((entry, place) => {
    const { crm_unit_id } = entry;
    if ('fault' in entry) {
      errors.push(entryError(crm_unit_id, entry.fault));
      return;
    }
    const outcome = outcomes[next++]!;
    if (outcome.kind === 'rejected') {
      errors.push(entryError(crm_unit_id, refusalOfEntry(outcome.refusal, writer.source, `units.${place}`)));
      return;
    }
    counts[outcome.created ? 'created' : outcome.changed ? 'updated' : 'unchanged'] += 1;
    for (const warning of outcome.warnings) warnings.push({ crm_unit_id, ...warning });
  });
  const result = { synced_at, total: entries.length, ...counts, errors };
  return warnings.length === 0 ? result : { ...result, warnings };
}

function entryError(crm_unit_id: string, { message, code, errors }: ApiError): EntryError {
  if (errors === undefined) return { crm_unit_id, error: message, code };
  const texts = Object.entries(errors).flatMap(([path, messages]) =>
    messages.map((text) => `${path}: ${text}`),
  );
  return { crm_unit_id, error: texts.join(' '), code, errors };
}
