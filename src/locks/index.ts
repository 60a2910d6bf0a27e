export { keyExpiry } from './core/key-expiry.js';
export type { KeyCalendar, KeyExpiryQuestion } from './core/key-expiry.js';
export { KEY_ISSUER } from './keys/key-issuer.js';
export type { KeyGrant, KeyIssuer } from './keys/key-issuer.js';
export { HmacKeyIssuer } from './keys/hmac-key-issuer.js';
export type { KeyVerification } from './keys/hmac-key-issuer.js';
export { masterSecret } from './keys/master-secret.js';
export { KeyIssues } from './keys/key-issues.js';
export type { KeyIssue, OutstandingKey } from './keys/key-issues.js';
