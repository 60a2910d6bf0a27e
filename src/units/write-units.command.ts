import { Command } from '@nestjs/cqrs';
import type { Snapshot, WriteContext } from '../writing/stream-kind.js';
import type { StreamOutcome } from '../writing/stream-writer.js';
import type { UnitCommand, UnitRefusal, UnitResult } from './core/unit.commands.js';
import type { UnitEvent } from './core/unit.events.js';
import type { UnitState } from './core/unit.state.js';

export type UnitOutcome = StreamOutcome<UnitState, UnitResult, UnitRefusal>;

/**
 * Turns what the caller was told into commands, given the units as they stand (undefined: no such unit), for the
 * places that must be decided, in order. Called again for the places that must be decided again.
 * @param recovered for each place, what an earlier attempt at this command has stored: it named these then.
 */
export type PrepareUnits = (
  units: readonly (Snapshot<UnitState> | undefined)[],
  places: readonly number[],
  recovered: readonly (readonly UnitEvent[] | undefined)[],
) => Promise<readonly UnitCommand[]>;

/** The one door for every write to units, single or bulk, whoever asks. Outcomes stand in the order of `units`. */
export class WriteUnits extends Command<UnitOutcome[]> {
  constructor(
    /** Distinct units, by stream name (`unitStream`). */
    readonly streams: readonly string[],
    readonly prepare: PrepareUnits,
    readonly context: WriteContext,
    /** Decide and tell, but store nothing. */
    readonly dryRun: boolean = false,
  ) {
    super();
  }
}
