import type { Aggregate, Kind } from '#eventsourcing/writing/aggregate.js';
import { asStored, decidePass, type PassCommand, type PassRefusal } from './core/pass.decide.js';
import { PASS_CATEGORY, PASS_EVENT_TYPES, type PassEvent } from './core/pass.events.js';
import { evolvePass, type PassState } from './core/pass.state.js';

export type PassKind = Kind<PassState, PassEvent, PassCommand, undefined, PassRefusal>;

/** Streams `pass-{pass_id}`. */
export const PASS: Aggregate<PassKind> = {
  category: PASS_CATEGORY,
  types: PASS_EVENT_TYPES,
  evolve: evolvePass,
  decide: decidePass,
  asStored,
};
