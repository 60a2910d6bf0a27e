export { BulkSync } from './bulk/bulk-sync.js';
export { FURTHEST_AHEAD_MS, LARGEST_BULK } from './bulk/bulk-entries.js';
export { keysStillValid, LetUnitWarnings } from './let-unit-warnings.js';
export { PushModule } from './push.module.js';
export { confusableFault, OTHER_LOCATION, refusalError, RESERVED_TENANT } from './refusals.js';
export { statedFacts, statedMoveIn, UnitAnswers, warningsOf, writeEnvelope } from './unit-answers.js';
export { FactsBody, MoveInBody } from './unit.dto.js';
export { ForecastQuery, forecastRange } from './v2/forecast.dto.js';
export {
  type EntryError,
  ENTRY_ERROR_SCHEMA,
  UNIT_WRITTEN_SCHEMA,
  WARNED,
  WARNING_SCHEMA,
  type WriteWarning,
} from './unit-write.schemas.js';
