import { Secret, TOTP } from 'otpauth';

const ISSUER = 'Storage Access';
/** Phones' clocks differ: a code counts one step (30 s) early and late. */
const WINDOW = 1;

/** Base32 text of some bytes. */
export function base32Of(bytes: Buffer): string {
  return new Secret({ buffer: Uint8Array.from(bytes).buffer }).base32;
}

/** The address that an authenticator app reads. @param secret base32 */
export function totpUri(secret: string, email: string): string {
  return totpOf(secret, email).toString();
}

/** The time step whose code this is, if it is near `now` (milliseconds). @param secret base32 */
export function stepOf(secret: string, code: string, now: number): number | undefined {
  const totp = totpOf(secret);
  const delta = totp.validate({ token: code, timestamp: now, window: WINDOW });
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta;
}

/** SHA-1, 6 digits, 30 s: authenticator apps know nothing else. */
function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), digits: 6, period: 30 });
}
