export * from './history.module.js';
export { OPERATOR_NAMES } from './actor-names.js';
export type { OperatorNames } from './actor-names.js';
export type { HistoryEntry } from './history.presenter.js';
export * from './unit-history.js';
export { UnitRecordReader } from './unit-record.reader.js';
