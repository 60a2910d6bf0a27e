export * from './bulk/bulk-sync.js';
export * from './push.module.js';
export * from './refusals.js';
export * from './unit-write-answers.js';
export * from './warned-writes.js';
export * from './unit.dto.js';
export { ForecastQuery, forecastRange } from './v2/forecast.controller.js';
export { ENTRY_ERROR_SCHEMA, UNIT_WRITTEN_SCHEMA } from './unit-write.schemas.js';
