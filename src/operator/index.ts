export * from './first-operator.js';
export * from './operator-login.js';
export * from './operator-sessions.js';
export * from './operator.module.js';
export { Operators } from './operators.js';
