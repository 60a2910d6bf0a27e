import { createHmac, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { OVERTAKEN, untilItHolds } from '../documents/until-it-holds.js';
import type { Clock } from '../config/clock.js';
import { CompanyClocks } from '../companies/index.js';
import type { Ids } from '../config/ids.js';
import { CLOCK, IDS, RECORDS } from '../config/injection-tokens.js';
import type { CollectionDeclaration, DocumentStore, StoredDocument } from '../documents/document-store.js';
import type { LoginPlace } from './login-places.js';

/** The newest code of one place. It stays after its use, without the hash: the cooldown counts from it. */
export interface PlaceCode {
  /** The known place that it belongs to; null for the one code of all other places together. */
  readonly known_place: string | null;
  /** The place that asked for it. */
  readonly asked_from: string;
  readonly salt: string;
  /** HMAC-SHA-256 of the code under the salt; null once it was used, or guessed at too often where it was asked for. */
  readonly hash: string | null;
  /** Wrong tries from the place that asked for it. */
  readonly wrong_here: number;
  /** Wrong tries from all other places. */
  readonly wrong_elsewhere: number;
  readonly sent_at: number;
  readonly expires_at: number;
  /** By sandbox, how far its clock was ahead when the code was made, in milliseconds. */
  readonly ahead: Readonly<Record<string, number>>;
}

/** The codes of a phone, which is `_id`. */
export interface OtpCodesOfPhone extends StoredDocument {
  readonly codes: readonly PlaceCode[];
  /** When the last of the codes expires. */
  readonly expires_at: number;
  readonly version: number;
}

export const OTP_CODES: CollectionDeclaration<OtpCodesOfPhone> = {
  name: 'otp_codes',
  indexes: {},
  expiry: 'expires_at',
};

/** Validity of a code and the least time between two of a place (specification §8), in milliseconds. */
const VALIDITY = 5 * 60_000;
const COOLDOWN = 30_000;
export const COOLDOWN_SECONDS = COOLDOWN / 1000;
/** The wrong try that closes a code (decisions §5). */
const MOST_WRONG_TRIES = 5;
const DIGITS = 6;

/** A code that was stored and is now to be sent. */
export interface IssuedCode {
  readonly kind: 'issued';
  readonly code: string;
  readonly phone: string;
  readonly stored: PlaceCode;
  /** The place's code before, for `withdraw`. */
  readonly replaced: PlaceCode | undefined;
}

/** The place's code before was made too little ago; `wait` in milliseconds. */
export interface CoolingDown {
  readonly kind: 'cooling_down';
  readonly wait: number;
}

/** A code that was right, as `check` found it. */
export interface CheckedCode {
  readonly found: OtpCodesOfPhone;
  readonly code: PlaceCode;
}

/**
 * One-time codes, kept hashed, used at most once (specification §5.2). A phone has one live code for each known place and
 * one for all other places together, so that a stranger can neither replace nor void its owner's (decisions §5).
 */
@Injectable()
export class OtpCodes {
  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly clocks: CompanyClocks,
  ) {}

  /**
   * Makes a code that replaces the place's earlier one. Of several at once, one is issued and the others cool down.
   * @param company_ids whose accounts have the phone
   */
  async issue(
    phone: string,
    company_ids: readonly string[],
    { id: asked_from, isKnown }: LoginPlace,
  ): Promise<IssuedCode | CoolingDown> {
    const known_place = isKnown ? asked_from : null;
    const code = this.ids.code(DIGITS);
    const salt = this.ids.secret();
    const hash = digest(salt, code).toString('base64url');
    const ahead = await this.ahead(company_ids);
    return untilItHolds(async () => {
      const now = this.clock.now();
      const before = await this.live(phone);
      const replaced = before?.codes.find((one) => one.known_place === known_place);
      const sent = before?.codes.filter((one) => one === replaced || one.asked_from === asked_from) ?? [];
      const wait = Math.max(...sent.map(({ sent_at }) => sent_at)) + COOLDOWN - now;
      if (wait > 0) return { kind: 'cooling_down', wait };
      const stored: PlaceCode = {
        ...{ known_place, asked_from, salt, hash, wrong_here: 0, wrong_elsewhere: 0 },
        ...{ sent_at: now, expires_at: now + VALIDITY },
        ahead,
      };
      const others = before?.codes.filter((one) => one !== replaced) ?? [];
      return (await this.replace(phone, before, [...others, stored]))
        ? { kind: 'issued', code, phone, stored, replaced }
        : OVERTAKEN;
    });
  }

  /** Takes back a code that could not be sent: the one before it, if any, is good again, and no cooldown runs. */
  withdraw({ phone, stored, replaced }: IssuedCode): Promise<void> {
    return untilItHolds(async () => {
      const before = await this.live(phone);
      if (!before?.codes.some(({ salt }) => salt === stored.salt)) return undefined;
      const others = before.codes.filter(({ salt }) => salt !== stored.salt);
      const codes = replaced === undefined ? others : [...others, replaced];
      return (await this.replace(phone, before, codes)) ? undefined : OVERTAKEN;
    });
  }

  /**
   * A code of the phone that `otp` is and that is open to this place; undefined where there is none to judge by. A right one
   * is not used up. A wrong try counts for each code that was open to it, before it is told.
   */
  check(phone: string, otp: string, from: LoginPlace): Promise<CheckedCode | 'wrong' | undefined> {
    return untilItHolds(async () => {
      const found = await this.live(phone);
      const open = found?.codes.filter((code) => isOpenTo(code, from)) ?? [];
      if (found === undefined || open.length === 0) return undefined;
      const code = open.find((one) => isIt(one, otp));
      if (code !== undefined) return { found, code };
      const counted = found.codes.map((one) => (open.includes(one) ? afterWrongTry(one, from) : one));
      // Every attempt that finds another's here comes after it: no more than five are judged, however many come at once.
      return (await this.replace(phone, found, counted)) ? 'wrong' : OVERTAKEN;
    });
  }

  /**
   * Whether a checked code is good for a company. In a sandbox it ends by the sandbox's clock; the world's, by which codes
   * are limited, has said already that it is.
   */
  async isGoodFor({ code: { expires_at, ahead } }: CheckedCode, company_id: string): Promise<boolean> {
    const clock = await this.clocks.of(company_id);
    // A code from before the account knew the phone has seen nothing of the sandbox's time.
    const then = ahead[company_id] ?? clock.ahead;
    return clock.now() - then < expires_at;
  }

  /** Uses a checked code up. True for exactly one caller; false also where the phone's codes changed in between. */
  consume({ found, code }: CheckedCode): Promise<boolean> {
    const codes = found.codes.map((one) => (one === code ? { ...one, hash: null } : one));
    return this.replace(found._id, found, codes);
  }

  /** Removes all that is kept of a phone's codes. */
  async remove(phone: string): Promise<void> {
    await this.records.collection(OTP_CODES);
    await this.records.write([{ kind: 'delete', collection: OTP_CODES.name, id: phone }]);
  }

  /** The phone's codes that have not expired; undefined for none. */
  private async live(phone: string): Promise<OtpCodesOfPhone | undefined> {
    const stored = await (await this.records.collection(OTP_CODES)).get(phone);
    const codes = stored?.codes.filter(({ expires_at }) => this.clock.now() < expires_at) ?? [];
    return codes.length === 0 ? undefined : { ...stored!, codes };
  }

  private async ahead(company_ids: readonly string[]): Promise<Record<string, number>> {
    const clocks = await this.clocks.ofAll(company_ids);
    return Object.fromEntries(
      [...clocks].flatMap(([id, clock]) => (clock.isSandbox ? [[id, clock.ahead]] : [])),
    );
  }

  private async replace(
    phone: string,
    before: OtpCodesOfPhone | undefined,
    codes: readonly PlaceCode[],
  ): Promise<boolean> {
    const collection = OTP_CODES.name;
    await this.records.collection(OTP_CODES);
    const expected = before?.version ?? null;
    const document: OtpCodesOfPhone = {
      _id: phone,
      codes,
      expires_at: Math.max(0, ...codes.map(({ expires_at }) => expires_at)),
      // Grows with the clock as well, so that codes made after others expired never bear the same version.
      version: Math.max(this.clock.now(), (before?.version ?? 0) + 1),
    };
    const [outcome] = await this.records.write([
      codes.length === 0 && expected !== null
        ? { kind: 'delete', collection, id: phone, expected }
        : { kind: 'compare_and_set', collection, expected, document },
    ]);
    return outcome?.kind === 'written';
  }
}

function isOpenTo({ hash, asked_from, wrong_elsewhere }: PlaceCode, { id }: LoginPlace): boolean {
  return hash !== null && (asked_from === id || wrong_elsewhere < MOST_WRONG_TRIES);
}

function isIt({ salt, hash }: PlaceCode, otp: string): boolean {
  return timingSafeEqual(digest(salt, otp), Buffer.from(hash!, 'base64url'));
}

/** Tries from elsewhere close a code to other places only; the place that asked for it closes it for all. */
function afterWrongTry(code: PlaceCode, { id }: LoginPlace): PlaceCode {
  if (code.asked_from !== id) return { ...code, wrong_elsewhere: code.wrong_elsewhere + 1 };
  const wrong_here = code.wrong_here + 1;
  return { ...code, wrong_here, hash: wrong_here < MOST_WRONG_TRIES ? code.hash : null };
}

function digest(salt: string, code: string): Buffer {
  return createHmac('sha256', salt).update(code).digest();
}
