import { createHmac, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../config/clock.js';
import { CompanyClocks } from '../companies/index.js';
import type { Ids } from '../config/ids.js';
import { CLOCK, IDS, RECORDS } from '../config/injection-tokens.js';
import type { CollectionDeclaration, DocumentStore, StoredDocument } from '../documents/document-store.js';

/** A phone's newest code. It stays after its use, without the hash, because the cooldown still counts from it. */
export interface OtpCode extends StoredDocument {
  readonly salt: string;
  /** HMAC-SHA-256 of the code under the salt; null once it was used, or guessed at too often. */
  readonly hash: string | null;
  readonly wrong_tries: number;
  readonly sent_at: number;
  readonly expires_at: number;
  /** By company, how far the clocks of sandboxes that know the phone were ahead when the code was made, in milliseconds. */
  readonly ahead?: Readonly<Record<string, number>>;
  readonly version: number;
}

export const OTP_CODES: CollectionDeclaration<OtpCode> = {
  name: 'otp_codes',
  indexes: {},
  expiry: 'expires_at',
};

/** Validity of a code and the least time between two (specification §8), in milliseconds. */
const VALIDITY = 5 * 60_000;
const COOLDOWN = 30_000;
export const COOLDOWN_SECONDS = COOLDOWN / 1000;
/** Wrong tries that a code survives but for the last (decisions §5). */
const MOST_WRONG_TRIES = 5;
const DIGITS = 6;

/** A code that was stored and is now to be sent. */
export interface IssuedCode {
  readonly kind: 'issued';
  readonly code: string;
  readonly stored: OtpCode;
  /** What the code replaced, for `withdraw`. */
  readonly replaced: OtpCode | undefined;
}

/** The code before was made too little ago; `wait` in milliseconds. */
export interface CoolingDown {
  readonly kind: 'cooling_down';
  readonly wait: number;
}

/** One-time codes: one live code per phone, kept hashed, used at most once (specification §5.2). */
@Injectable()
export class OtpCodes {
  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly clocks: CompanyClocks,
  ) {}

  /**
   * Makes a code that replaces the phone's earlier one. Of several at once, one is issued and the others cool down.
   * @param company_ids whose accounts have the phone
   */
  async issue(phone: string, company_ids: readonly string[]): Promise<IssuedCode | CoolingDown> {
    const now = this.clock.now();
    const replaced = await this.live(phone);
    if (replaced && now < replaced.sent_at + COOLDOWN) {
      return { kind: 'cooling_down', wait: replaced.sent_at + COOLDOWN - now };
    }
    const code = this.ids.code(DIGITS);
    const salt = this.ids.secret();
    const ahead = await this.ahead(company_ids);
    const stored: OtpCode = {
      _id: phone,
      salt,
      hash: digest(salt, code).toString('base64url'),
      wrong_tries: 0,
      sent_at: now,
      expires_at: now + VALIDITY,
      ...(ahead.length > 0 && { ahead: Object.fromEntries(ahead) }),
      // Grows with the clock as well, so that a code made after another expired never bears the same version.
      version: Math.max(now, (replaced?.version ?? 0) + 1),
    };
    if (!(await this.replace(replaced?.version ?? null, stored)))
      return { kind: 'cooling_down', wait: COOLDOWN };
    return { kind: 'issued', code, stored, replaced };
  }

  /** Takes back a code that could not be sent: the one before it, if any, is good again, and no cooldown runs. */
  async withdraw(issued: IssuedCode): Promise<void> {
    const { stored, replaced } = issued;
    if (replaced) {
      await this.replace(stored.version, { ...replaced, version: stored.version + 1 });
      return;
    }
    await this.records.write([
      { kind: 'delete', collection: OTP_CODES.name, id: stored._id, expected: stored.version },
    ]);
  }

  /**
   * The phone's code if `code` is it and it is still good; undefined where there is none to judge by. A right one is not
   * used up, a wrong one is counted before it is told, and the fifth makes the code void.
   */
  async check(phone: string, code: string): Promise<OtpCode | 'wrong' | undefined> {
    for (;;) {
      const stored = await this.live(phone);
      if (!stored || stored.hash === null) return undefined;
      if (timingSafeEqual(digest(stored.salt, code), Buffer.from(stored.hash, 'base64url'))) return stored;
      const wrong_tries = stored.wrong_tries + 1;
      const hash = wrong_tries < MOST_WRONG_TRIES ? stored.hash : null;
      // Every attempt that finds another's here comes after it: no more than these are judged, however many come at once.
      if (await this.replace(stored.version, { ...stored, hash, wrong_tries, version: stored.version + 1 })) {
        return 'wrong';
      }
    }
  }

  /**
   * Whether a checked code is good for a company. In a sandbox it ends by the sandbox's clock; the world's, by which codes
   * are limited, has said already that it is.
   */
  async isGoodFor({ expires_at, ahead }: OtpCode, company_id: string): Promise<boolean> {
    const clock = await this.clocks.of(company_id);
    // A code from before the account knew the phone has seen nothing of the sandbox's time.
    const then = ahead?.[company_id] ?? clock.ahead;
    return clock.now() - then < expires_at;
  }

  /** Uses a checked code up. True for exactly one caller; false also where a try in between was counted. */
  async consume(checked: OtpCode): Promise<boolean> {
    return this.replace(checked.version, { ...checked, hash: null, version: checked.version + 1 });
  }

  /** Removes all that is kept of a phone's codes. */
  async remove(phone: string): Promise<void> {
    await this.records.collection(OTP_CODES);
    await this.records.write([{ kind: 'delete', collection: OTP_CODES.name, id: phone }]);
  }

  private async live(phone: string): Promise<OtpCode | undefined> {
    const stored = await (await this.records.collection(OTP_CODES)).get(phone);
    return stored && this.clock.now() < stored.expires_at ? stored : undefined;
  }

  private async ahead(company_ids: readonly string[]): Promise<[string, number][]> {
    const clocks = await this.clocks.ofAll(company_ids);
    return [...clocks].flatMap(([id, clock]) => (clock.isSandbox ? [[id, clock.ahead]] : []));
  }

  private async replace(expected: number | null, document: OtpCode): Promise<boolean> {
    await this.records.collection(OTP_CODES);
    const [outcome] = await this.records.write([
      { kind: 'compare_and_set', collection: OTP_CODES.name, expected, document },
    ]);
    return outcome?.kind === 'written';
  }
}

function digest(salt: string, code: string): Buffer {
  return createHmac('sha256', salt).update(code).digest();
}
