import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { toTimestamp } from '#kernel/timestamp.js';
import { CompanyClocks } from '#domain/companies/index.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import type { ApiError } from '#kernel/errors/api-error.js';
import { wellFormed } from '#web/validation/rules.js';
import { errorsOf } from '#kernel/errors/field-fault.js';
import { refusalOfEntry } from '../refusals.js';
import { type UnitOutcome, type Writer, WriteUnits } from '#domain/units/index.js';
import { LetUnitWarnings, type WarningsByOutcome } from '../let-unit-warnings.js';
import { warningsOf } from '../unit-answers.js';
import type { BulkResult, EntryError, SkippedEntry, WriteWarning } from '../unit-write.schemas.js';
import { BulkOptions } from '../unit.dto.js';
import { EntryPhones } from './entry-phones.js';
import { type PagePart, readBulk, type ReadEntry, readPart, syncsOf } from './bulk-entries.js';

/**
 * An answer has about this many messages. Each further entry has its first message and the number of the others. The limit
 * exists because answers are stored for a day under their key.
 */
const MOST_MESSAGES = 300;
/** A longer identifier of an entry is cut in its error, for the same reason. A valid one is never longer. */
const LONGEST_SHOWN = 256;

/** Writes many units, each independently. */
@Injectable()
export class BulkSync {
  constructor(
    private readonly commands: CommandBus,
    private readonly phones: EntryPhones,
    private readonly clocks: CompanyClocks,
    private readonly ofLetUnits: LetUnitWarnings,
  ) {}

  /** @throws ApiError 422 if the whole request is malformed. @throws StoreUnavailableError */
  async sync(
    writer: Writer,
    body: Readonly<Record<string, unknown>>,
    context: WriteContext,
    dryRun: boolean,
  ): Promise<BulkResult> {
    const { company_id } = writer;
    const now = 'snapshot_at' in body ? await this.clocks.now(company_id) : 0;
    const entries = await this.phones.withoutForeignNumbers(
      company_id,
      await readBulk(body, BulkOptions, now),
    );
    const writes = syncsOf(entries, writer.source);
    const outcomes = await this.commands.execute(new WriteUnits(company_id, writes, context, { dryRun }));
    const result = await this.#summarize(entries, outcomes, writer);
    return 'snapshot_at' in body ? { ...result, skipped: result.skipped ?? [] } : result;
  }

  /** Writes a part of a page of a pull source, each entry independently. @throws StoreUnavailableError */
  async syncPart(writer: Writer, part: PagePart, context: WriteContext, dryRun = false): Promise<BulkResult> {
    const entries = await this.phones.withoutForeignNumbers(writer.company_id, await readPart(part));
    const writes = syncsOf(entries, writer.source);
    const command = new WriteUnits(writer.company_id, writes, context, { dryRun });
    const outcomes = await this.commands.execute(command);
    return this.#summarize(entries, outcomes, writer);
  }

  async #summarize(
    entries: readonly ReadEntry[],
    outcomes: readonly UnitOutcome[],
    writer: Writer,
  ): Promise<BulkResult> {
    const at = syncedAt(outcomes) ?? (await this.clocks.now(writer.company_id));
    const ofKeys = await this.ofLetUnits.ofWrites(outcomes);
    return summarize(entries, outcomes, writer, { synced_at: toTimestamp(at), ofKeys });
  }
}

/** The instant of the newest stored change, so that a repeat answers the same; undefined if nothing changed. */
function syncedAt(outcomes: readonly UnitOutcome[]): number | undefined {
  const instants = outcomes.flatMap((one) => (one.kind === 'done' && one.changed ? [one.applied_at] : []));
  return instants.length === 0 ? undefined : instants.reduce((last, one) => Math.max(last, one));
}

function summarize(
  entries: readonly ReadEntry[],
  outcomes: readonly UnitOutcome[],
  writer: Writer,
  { synced_at, ofKeys }: { readonly synced_at: string; readonly ofKeys: WarningsByOutcome },
): BulkResult {
  const counts = { created: 0, updated: 0, unchanged: 0 };
  const { done, errors, skipped } = outcomesByKind(entries, outcomes, writer);
  const warnings: (WriteWarning & { crm_unit_id: string })[] = [];
  for (const { crm_unit_id, outcome } of done) {
    counts[outcome.result.created ? 'created' : outcome.changed ? 'updated' : 'unchanged'] += 1;
    for (const warning of [...warningsOf(outcome), ...(ofKeys.get(outcome) ?? [])])
      warnings.push({ crm_unit_id, ...warning });
  }
  return {
    synced_at,
    total: entries.length,
    ...counts,
    errors,
    ...(skipped.length === 0 ? {} : { skipped }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

type Done = UnitOutcome & { readonly kind: 'done' };

/** Groups the results of a bulk, in the order of the request. @param outcomes of the valid entries */
export function outcomesByKind(
  entries: readonly ReadEntry[],
  outcomes: readonly UnitOutcome[],
  { source }: Writer,
): {
  readonly done: readonly { crm_unit_id: string; outcome: Done }[];
  readonly errors: EntryError[];
  readonly skipped: SkippedEntry[];
} {
  const done: { crm_unit_id: string; outcome: Done }[] = [];
  const skipped: SkippedEntry[] = [];
  const errors = new EntryErrors();
  let next = 0;
  entries.forEach((entry) => {
    const { crm_unit_id, path } = entry;
    if ('fault' in entry) return errors.add(crm_unit_id, entry.fault);
    const outcome = outcomes[next++]!;
    if (outcome.kind === 'done') return void done.push({ crm_unit_id, outcome });
    const { refusal } = outcome;
    if (refusal.code !== 'written_since')
      return errors.add(crm_unit_id, refusalOfEntry(refusal, source, path));
    skipped.push({ crm_unit_id, written_at: toTimestamp(refusal.written_at) });
  });
  return { done, errors: errors.all, skipped };
}

/** Collects the errors of one answer, up to a total number of messages. */
class EntryErrors {
  readonly all: EntryError[] = [];
  #messages = 0;

  add(given: string, { message, code, details: faults }: ApiError): void {
    const crm_unit_id = wellFormed(given.slice(0, LONGEST_SHOWN));
    if (faults === undefined) return void this.all.push({ crm_unit_id, error: message, code });
    const details = faults.slice(0, Math.max(1, MOST_MESSAGES - this.#messages));
    this.#messages += details.length;
    const texts = details.map((fault) => `${fault.field}: ${fault.message}`);
    if (details.length < faults.length) texts.push(`And ${faults.length - details.length} more.`);
    this.all.push({ crm_unit_id, error: texts.join(' '), code, errors: errorsOf(details), details });
  }
}
