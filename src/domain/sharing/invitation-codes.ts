import { createHmac, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';

/** Injection token of the `Buffer` that codes of invitations are made with. */
export const SHARE_CODES_KEY = Symbol('ShareCodesKey');

const DIGITS = 6;

/**
 * The codes by which invitations are accepted. A code follows from the share's id and a key, so it is stored nowhere, and a
 * repeated request has the same one.
 */
@Injectable()
export class InvitationCodes {
  constructor(@Inject(SHARE_CODES_KEY) private readonly key: Buffer) {}

  codeOf(share_id: string): string {
    const digest = createHmac('sha256', this.key).update(share_id).digest();
    return String(digest.readUIntBE(0, 6) % 10 ** DIGITS).padStart(DIGITS, '0');
  }

  /** @param code six digits */
  isRight(share_id: string, code: string): boolean {
    return timingSafeEqual(Buffer.from(this.codeOf(share_id)), Buffer.from(code));
  }
}
