import { createHmac, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';

/** The `Buffer` that signs the links which stop mails. */
export const SUMMARY_LINKS_KEY = Symbol('SummaryLinksKey');

/**
 * Links that stop mails without a sign-in, because a mail provider offers them as a button. They do nothing else, so they
 * work as long as the subscription exists.
 */
@Injectable()
export class SummaryLinks {
  constructor(@Inject(SUMMARY_LINKS_KEY) private readonly key: Buffer) {}

  /** The text in the link of a subscription. */
  tokenOf(subscription_id: string): string {
    return `${subscription_id}.${this.#signatureOf(subscription_id).toString('base64url')}`;
  }

  /** The subscription that a link names; undefined if the service did not make it. */
  subscriptionIn(token: string): string | undefined {
    const end = token.lastIndexOf('.');
    const id = token.slice(0, Math.max(0, end));
    const given = Buffer.from(token.slice(end + 1), 'base64url');
    const expected = this.#signatureOf(id);
    return given.length === expected.length && timingSafeEqual(given, expected) ? id : undefined;
  }

  #signatureOf(subscription_id: string): Buffer {
    return createHmac('sha256', this.key).update(subscription_id).digest();
  }
}
