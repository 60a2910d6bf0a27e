export * from './calendar-text.js';
export * from './compile-validator.js';
export * from './decorators.js';
export * from './json-schema.js';
export * from './money.js';
export * from './presence.js';
export * from './rule.js';
export { LONGEST_TEXT } from './rules.js';
export * from './valid.js';
