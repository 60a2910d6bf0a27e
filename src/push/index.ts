export * from './bulk/bulk-sync.js';
export * from './push.module.js';
export * from './refusals.js';
export * from './unit-write-answers.js';
export * from './warned-writes.js';
export * from './unit.dto.js';
