import { Injectable } from '@nestjs/common';
import { presentDecision, UnitAccess } from '../access/index.js';
import { toTimestamp } from '../config/clock.js';
import type { WriteContext } from '../writing/write-context.js';
import { checkEntry, notFound, validationFailed } from '../http/index.js';
import { type StatedWrite, UnitDirectory, type Writer } from '../units/index.js';
import { refusalError } from './refusals.js';
import { BulkIdentifier } from './unit.dto.js';
import { type WarnedOutcome, WarnedWrites } from './warned-writes.js';

type Done = WarnedOutcome & { kind: 'done' };

/** The answer to a write of one unit. */
export interface UnitWriteAnswer {
  readonly created: boolean;
  /** `unit_id`, `applied_at`, and `warnings`, `dry_run` and `access` where they apply. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Writes one unit that a path names, and answers as the specification's §4.1 has it. */
@Injectable()
export class UnitWriteAnswers {
  constructor(
    private readonly writes: WarnedWrites,
    private readonly units: UnitDirectory,
    private readonly access: UnitAccess,
  ) {}

  /**
   * @param key the path's `{crm_unit_id}`, or `ulid:{unit_id}`.
   * @throws ApiError for a refusal: 404, 409 or 422. @throws StoreUnavailableError
   */
  async write(
    writer: Writer,
    key: string,
    write: Omit<StatedWrite, 'crm_unit_id'>,
    context: WriteContext,
    dryRun = false,
  ): Promise<UnitWriteAnswer> {
    const crm_unit_id = await this.units.crmUnitId(writer.company_id, key);
    if (crm_unit_id === undefined) throw notFound('Unit not found.');
    const errors = checkEntry(BulkIdentifier, { crm_unit_id }, '');
    if (errors !== undefined) throw validationFailed(errors);
    const [outcome] = await this.writes.write(writer, [{ crm_unit_id, ...write }], context, dryRun);
    if (outcome!.kind === 'rejected') throw refusalError(outcome!.refusal, writer.source);
    const { created, unit, applied_at, warnings } = outcome!;
    const data = {
      unit_id: dryRun && created ? null : unit.unit_id,
      applied_at: toTimestamp(applied_at),
      ...(warnings.length === 0 ? {} : { warnings }),
      ...(dryRun ? await this.#preview(outcome!) : {}),
    };
    return { created, data };
  }

  async #preview({ unit, created }: Done): Promise<Record<string, unknown>> {
    const [decision] = await this.access.decide([unit]);
    // A unit that nothing made has no identifier to be named by.
    const resolution = decision!.resolution?.map((cure) =>
      created && cure.unit_id === unit.unit_id ? { ...cure, unit_id: null } : cure,
    );
    return { dry_run: true, access: presentDecision({ ...decision!, resolution: resolution ?? null }, true) };
  }
}
