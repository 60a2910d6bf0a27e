export * from './calendar-text.js';
export * from './compile-validator.js';
export * from './decorators.js';
export * from './money.js';
export * from './rule.js';
export * from './valid.js';
