import { Secret, TOTP } from 'otpauth';

const ISSUER = 'Storage Access';
/** Clocks of phones differ, so the codes of one step (30 s) before and after are accepted. */
const WINDOW = 1;

export function base32Of(bytes: Buffer): string {
  return new Secret({ buffer: Uint8Array.from(bytes).buffer }).base32;
}

/** The address that an authenticator app reads. @param secret base32 */
export function totpUri(secret: string, email: string): string {
  return totpOf(secret, email).toString();
}

/** The time step that has this code. Undefined if no step near `now` (milliseconds) has it. @param secret base32 */
export function stepOf(secret: string, code: string, now: number): number | undefined {
  const totp = totpOf(secret);
  const delta = totp.validate({ token: code, timestamp: now, window: WINDOW });
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta;
}

/** SHA-1, 6 digits and 30 s are the only settings that all authenticator apps know. */
function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), digits: 6, period: 30 });
}
