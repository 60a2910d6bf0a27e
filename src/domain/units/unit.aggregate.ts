import type { Aggregate, Kind } from '#eventsourcing/writing/aggregate.js';
import type { Outcome } from '#eventsourcing/writing/command-run.js';
import type { UnitCommand, UnitRefusal, UnitResult } from './core/unit.commands.js';
import { asStored, decide } from './core/unit.decide.js';
import { UNIT_CATEGORY, UNIT_EVENT_TYPES, type UnitEvent } from './core/unit.events.js';
import { evolve, type UnitState } from './core/unit.state.js';

export type UnitKind = Kind<UnitState, UnitEvent, UnitCommand, UnitResult, UnitRefusal>;

/** Streams `unit-{company_id}.{crm_unit_id}`. */
export const UNIT: Aggregate<UnitKind> = {
  category: UNIT_CATEGORY,
  types: UNIT_EVENT_TYPES,
  evolve,
  decide,
  asStored,
};

export type UnitOutcome = Outcome<UnitKind>;
