import { Command } from '@nestjs/cqrs';
import type { Loaded, WritePart } from '../writing/stream-writer.js';
import type { WriteContext } from '../writing/write-context.js';
import type { WriteOutcome } from '../writing/write-outcome.js';
import type { UnitCommand, UnitRefusal, UnitResult } from './core/unit.commands.js';
import type { UnitState } from './core/unit.state.js';

export type UnitOutcome = WriteOutcome<UnitState, UnitResult, UnitRefusal>;

/** The one door for every write to units, single or bulk, whoever asks. Outcomes stand in the order of `parts`. */
export class WriteUnits extends Command<UnitOutcome[]> {
  constructor(
    readonly company_id: string,
    /** Of distinct units of the company, by stream name (`unitStream`); names are resolved. */
    readonly parts: readonly WritePart<UnitCommand>[],
    readonly context: WriteContext,
    /** The units as they stood when the commands were put together. */
    readonly loaded?: Loaded<UnitState>,
    /** Decide and tell, but store nothing. */
    readonly dryRun: boolean = false,
  ) {
    super();
  }
}
