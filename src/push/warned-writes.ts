import { Injectable } from '@nestjs/common';
import {
  type StatedWrite,
  type UnitOutcome,
  type UnitRefusal,
  type UnitState,
  UnitWrites,
  type Writer,
} from '../units/index.js';
import type { WriteContext } from '../writing/write-context.js';
import { UnitWriteWarnings, type WriteWarning } from './unit-write-warnings.js';

/** What became of one unit's part of a write. */
export type WarnedOutcome =
  | {
      readonly kind: 'done';
      readonly created: boolean;
      readonly changed: boolean;
      /** The tenant's person is another by what the write says. */
      readonly person_changed: boolean;
      /** The unit that the write met; undefined where it is new. */
      readonly before: UnitState | undefined;
      /** The unit as the write left it. */
      readonly unit: UnitState;
      /** Milliseconds. */
      readonly applied_at: number;
      readonly warnings: readonly WriteWarning[];
    }
  | { readonly kind: 'rejected'; readonly refusal: UnitRefusal };

/** Writes of units with what their outcome should make the sender think of. */
@Injectable()
export class WarnedWrites {
  constructor(
    private readonly writes: UnitWrites,
    private readonly warnings: UnitWriteWarnings,
  ) {}

  /** As `UnitWrites.write`. */
  async write(
    writer: Writer,
    stated: readonly StatedWrite[],
    context: WriteContext,
    dryRun = false,
  ): Promise<WarnedOutcome[]> {
    const { mark } = this.warnings;
    const outcomes = await this.writes.write(writer, stated, context, dryRun);
    const warnings = await this.warnings.of(stated, outcomes, mark);
    return outcomes.map((outcome, place) => warned(outcome, warnings[place]!));
  }
}

function warned(outcome: UnitOutcome, warnings: readonly WriteWarning[]): WarnedOutcome {
  if (outcome.kind === 'rejected') return outcome;
  const { result, changed, before, after, applied_at } = outcome;
  return {
    kind: 'done',
    created: result.created,
    changed,
    person_changed: result.person_changed === true,
    before: before?.state,
    unit: after!.state,
    applied_at,
    warnings,
  };
}
