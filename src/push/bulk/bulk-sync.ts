import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { toTimestamp } from '../../config/clock.js';
import { CompanyClocks } from '../../companies/index.js';
import type { WriteContext } from '../../writing/write-context.js';
import type { ApiError } from '../../http/api-error.js';
import { wellFormed } from '../../http/validation/rules.js';
import { errorsOf, type FieldErrors, type FieldFault } from '../../http/field-fault.js';
import { refusalOfEntry } from '../refusals.js';
import { SyncUnits, type UnitOutcome, type Writer } from '../../units/index.js';
import { warningsOf, type WriteWarning } from '../unit-answers.js';
import { BulkOptions } from '../unit.dto.js';
import { EntryPhones } from './entry-phones.js';
import { type PagePart, readBulk, type ReadEntry, readPart, writesOf } from './bulk-entries.js';

/** The answer to a bulk upsert (specification §4.1): `total` = created + updated + unchanged + errors + skipped. */
export interface BulkResult {
  readonly synced_at: string;
  readonly total: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** In the order of the request. */
  readonly errors: readonly EntryError[];
  /** Present if the request has `snapshot_at`. */
  readonly skipped?: readonly SkippedEntry[];
  readonly warnings?: readonly (WriteWarning & { readonly crm_unit_id: string })[];
}

/** An entry that is older than a single write of its unit. */
export interface SkippedEntry {
  readonly crm_unit_id: string;
  readonly written_at: string;
}

export interface EntryError {
  readonly crm_unit_id: string;
  /** All messages in one text, each after its path. */
  readonly error: string;
  readonly code: string;
  /** The messages by path, if fields have faults. */
  readonly errors?: FieldErrors;
  /** The same faults, with codes. */
  readonly details?: readonly FieldFault[];
}

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
    const entries = await this.phones.withoutForeignNumbers(company_id, readBulk(body, BulkOptions, now));
    const command = new SyncUnits(writer, writesOf(entries), { context, dryRun });
    const outcomes = await this.commands.execute(command);
    const result = await this.#summarize(entries, outcomes, writer);
    return 'snapshot_at' in body ? { ...result, skipped: result.skipped ?? [] } : result;
  }

  /** Writes a part of a page of a pull source, each entry independently. @throws StoreUnavailableError */
  async syncPart(writer: Writer, part: PagePart, context: WriteContext, dryRun = false): Promise<BulkResult> {
    const entries = await this.phones.withoutForeignNumbers(writer.company_id, readPart(part));
    const writes = writesOf(entries);
    const outcomes = await this.commands.execute(new SyncUnits(writer, writes, { context, dryRun }));
    return this.#summarize(entries, outcomes, writer);
  }

  async #summarize(
    entries: readonly ReadEntry[],
    outcomes: readonly UnitOutcome[],
    writer: Writer,
  ): Promise<BulkResult> {
    const at = syncedAt(outcomes) ?? (await this.clocks.now(writer.company_id));
    return summarize(entries, outcomes, writer, toTimestamp(at));
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
  synced_at: string,
): BulkResult {
  const counts = { created: 0, updated: 0, unchanged: 0 };
  const { done, errors, skipped } = outcomesByKind(entries, outcomes, writer);
  const warnings: (WriteWarning & { crm_unit_id: string })[] = [];
  for (const { crm_unit_id, outcome } of done) {
    counts[outcome.result.created ? 'created' : outcome.changed ? 'updated' : 'unchanged'] += 1;
    for (const warning of warningsOf(outcome)) warnings.push({ crm_unit_id, ...warning });
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
