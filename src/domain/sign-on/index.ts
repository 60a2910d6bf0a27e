export type { Purpose } from './sign-on-flows.js';
export { SignOn, type FinishedSignOn } from './sign-on.js';
export { SignOnLinks, type LinkRefusal } from './sign-on-links.js';
export type { SignOnRefusal } from './sign-on-refusal.js';
export { SignOnModule } from './sign-on.module.js';
