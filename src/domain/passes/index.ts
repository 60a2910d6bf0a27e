export {
  decidePass,
  LONGEST_PASS_MS,
  type PassCommand,
  type PassRefusal,
  type WantedUnit,
} from './core/pass.decide.js';
export {
  type NamedUnit,
  PASS_CATEGORY,
  PASS_EVENT_TYPES,
  PASS_REASONS,
  type PassEndCause,
  type PassEvent,
  type PassHours,
  type PassReason,
  passStream,
} from './core/pass.events.js';
export { endOf, opensUnit, type PassStanding, type PassState, standingOf } from './core/pass.state.js';
export { changedDetails, type PassRecord, PassRecords } from './pass-records.js';
export { PASS } from './pass.aggregate.js';
export { PassDirectory } from './pass.directory.js';
export type { PassDocument } from './pass.documents.js';
export { PassProjector } from './pass.projector.js';
export { PassesOfErased } from './passes-of-erased.js';
export { PassesModule } from './passes.module.js';
export { WritePass } from './write-pass.js';
