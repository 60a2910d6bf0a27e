import { createHmac, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { OVERTAKEN, untilItHolds } from '#eventsourcing/documents/until-it-holds.js';
import type { Clock } from '#kernel/clock.js';
import { CompanyClocks } from '#domain/companies/index.js';
import type { Ids } from '#kernel/ids.js';
import { CLOCK, IDS, RECORDS } from '#kernel/injection-tokens.js';
import type {
  CollectionDeclaration,
  DocumentStore,
  StoredDocument,
} from '#eventsourcing/documents/document-store.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';
import type { LoginNetwork } from './login-networks.js';

/** The newest code for one network. It stays after its use, without the hash, because the cooldown counts from it. */
export interface NetworkCode {
  /** The known network that the code is for; null: the one code for all other networks. */
  readonly known_place: string | null;
  /** The network that asked for the code. */
  readonly asked_from: string;
  readonly salt: string;
  /** HMAC-SHA-256 of the code under the salt; null after its use, or after too many wrong tries from `asked_from`. */
  readonly hash: string | null;
  /** Wrong tries from `asked_from`. */
  readonly wrong_here: number;
  /** Wrong tries from all other networks. */
  readonly wrong_elsewhere: number;
  readonly sent_at: number;
  readonly expires_at: number;
  /** By sandbox, the milliseconds that its clock was ahead when the code was made. */
  readonly ahead: Readonly<Record<string, number>>;
}

/** The codes of a phone, which is `_id`. */
interface OtpCodesOfPhone extends StoredDocument {
  readonly codes: readonly NetworkCode[];
  /** The latest `expires_at` of the codes. */
  readonly expires_at: number;
  readonly version: number;
}

export const OTP_CODES: CollectionDeclaration<OtpCodesOfPhone> = {
  name: 'otp_codes',
  indexes: {},
  expiry: 'expires_at',
};

/** The cooldown is the least time between two codes for one network (specification §8). */
const VALIDITY_MS = 5 * 60_000;
const COOLDOWN_MS = 30_000;
export const COOLDOWN_SECONDS = COOLDOWN_MS / 1000;
/** This many wrong tries end a code (decisions §5). */
const MOST_WRONG_TRIES = 5;
const DIGITS = 6;

/** A stored code, to be sent now. */
export interface IssuedCode {
  readonly kind: 'issued';
  readonly code: string;
  readonly phone: string;
  readonly stored: NetworkCode;
  /** The network's earlier code, for `withdraw`. */
  readonly replaced: NetworkCode | undefined;
}

/** The network's earlier code is too new; `wait` in milliseconds. */
interface CoolingDown {
  readonly kind: 'cooling_down';
  readonly wait: number;
}

/** A right code, as `check` found it. */
export interface CheckedCode {
  readonly found: OtpCodesOfPhone;
  readonly code: NetworkCode;
}

/**
 * One-time codes, stored as hashes, used at most once (specification §5.2). A phone has one live code for each known
 * network, and one for all other networks. So a stranger cannot replace or end the owner's code (decisions §5).
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
   * Makes a code that replaces the network's earlier one. If several requests come at once, one of them gets a code.
   * @param company_ids companies with an account that has the phone
   */
  async issue(
    { phone, id: asked_from, isKnown }: LoginNetwork,
    company_ids: readonly string[],
  ): Promise<IssuedCode | CoolingDown> {
    const known_place = isKnown ? asked_from : null;
    const code = this.ids.code(DIGITS);
    const salt = this.ids.secret();
    const hash = digest(salt, code).toString('base64url');
    const ahead = await this.#aheadOfSandboxes(company_ids);
    return untilItHolds(async () => {
      const now = this.clock.now();
      const before = await this.#live(phone);
      const replaced = before?.codes.find((one) => one.known_place === known_place);
      const sent = before?.codes.filter((one) => one === replaced || one.asked_from === asked_from) ?? [];
      const wait = Math.max(...sent.map(({ sent_at }) => sent_at)) + COOLDOWN_MS - now;
      if (wait > 0) return { kind: 'cooling_down', wait };
      const stored: NetworkCode = {
        known_place,
        asked_from,
        salt,
        hash,
        wrong_here: 0,
        wrong_elsewhere: 0,
        sent_at: now,
        expires_at: now + VALIDITY_MS,
        ahead,
      };
      const others = before?.codes.filter((one) => one !== replaced) ?? [];
      return (await this.#replace(phone, before, [...others, stored]))
        ? { kind: 'issued', code, phone, stored, replaced }
        : OVERTAKEN;
    });
  }

  /** Removes a code that could not be sent. The earlier code works again, and no cooldown runs. */
  withdraw({ phone, stored, replaced }: IssuedCode): Promise<void> {
    return untilItHolds(async () => {
      const before = await this.#live(phone);
      if (!before?.codes.some(({ salt }) => salt === stored.salt)) return undefined;
      const others = before.codes.filter(({ salt }) => salt !== stored.salt);
      const codes = replaced === undefined ? others : [...others, replaced];
      return (await this.#replace(phone, before, codes)) ? undefined : OVERTAKEN;
    });
  }

  /**
   * Compares `otp` with the phone's live codes; undefined if there are none. A code that other networks have tried wrongly too
   * often is left out, unless this network asked for it. A right code is not used up. A wrong try is counted for each
   * compared code before the answer.
   */
  check(from: LoginNetwork, otp: string): Promise<CheckedCode | 'wrong' | undefined> {
    return untilItHolds(async () => {
      const found = await this.#live(from.phone);
      const open = found?.codes.filter((code) => isOpenTo(code, from)) ?? [];
      if (found === undefined || open.length === 0) return undefined;
      const code = open.find((one) => matches(one, otp));
      if (code !== undefined) return { found, code };
      const counted = found.codes.map((one) => (open.includes(one) ? afterWrongTry(one, from) : one));
      // The compare-and-set orders tries that come at once, so that no more than five are compared.
      return (await this.#replace(from.phone, found, counted)) ? 'wrong' : OVERTAKEN;
    });
  }

  /**
   * Whether a checked code is still valid for a company. A sandbox's clock may have been moved ahead since the code was made;
   * that time counts too.
   */
  async isGoodFor({ code: { expires_at, ahead } }: CheckedCode, company_id: string): Promise<boolean> {
    const clock = await this.clocks.findClock(company_id);
    // The account got this phone after the code was made: then the sandbox's clock counts from now.
    const then = ahead[company_id] ?? clock.ahead;
    return clock.now() - then < expires_at;
  }

  /** Uses up a checked code. True for exactly one caller. False also if the phone's codes changed meanwhile. */
  consume({ found, code }: CheckedCode): Promise<boolean> {
    const codes = found.codes.map((one) => (one === code ? { ...one, hash: null } : one));
    return this.#replace(found._id, found, codes);
  }

  async remove(phone: string): Promise<void> {
    await writeOne(this.records, OTP_CODES, { kind: 'delete', id: phone });
  }

  /** The phone's codes that have not expired; undefined if there are none. */
  async #live(phone: string): Promise<OtpCodesOfPhone | undefined> {
    const stored = await (await this.records.collection(OTP_CODES)).get(phone);
    const codes = stored?.codes.filter(({ expires_at }) => this.clock.now() < expires_at) ?? [];
    return codes.length === 0 ? undefined : { ...stored!, codes };
  }

  async #aheadOfSandboxes(company_ids: readonly string[]): Promise<Record<string, number>> {
    const clocks = await this.clocks.findClocks(company_ids);
    return Object.fromEntries(
      [...clocks].flatMap(([id, clock]) => (clock.isSandbox ? [[id, clock.ahead]] : [])),
    );
  }

  async #replace(
    phone: string,
    before: OtpCodesOfPhone | undefined,
    codes: readonly NetworkCode[],
  ): Promise<boolean> {
    const expected = before?.version ?? null;
    const document: OtpCodesOfPhone = {
      _id: phone,
      codes,
      expires_at: Math.max(0, ...codes.map(({ expires_at }) => expires_at)),
      // Grows with the clock too, so that a new document after an expired one never has the same version.
      version: Math.max(this.clock.now(), (before?.version ?? 0) + 1),
    };
    const write =
      codes.length === 0 && expected !== null
        ? ({ kind: 'delete', id: phone, expected } as const)
        : ({ kind: 'compare_and_set', expected, document } as const);
    return (await writeOne(this.records, OTP_CODES, write)) === 'written';
  }
}

function isOpenTo({ hash, asked_from, wrong_elsewhere }: NetworkCode, { id }: LoginNetwork): boolean {
  return hash !== null && (asked_from === id || wrong_elsewhere < MOST_WRONG_TRIES);
}

function matches({ salt, hash }: NetworkCode, otp: string): boolean {
  return timingSafeEqual(digest(salt, otp), Buffer.from(hash!, 'base64url'));
}

/** Wrong tries from elsewhere end the code for other networks only. Those from `asked_from` end it for all. */
function afterWrongTry(code: NetworkCode, { id }: LoginNetwork): NetworkCode {
  if (code.asked_from !== id) return { ...code, wrong_elsewhere: code.wrong_elsewhere + 1 };
  const wrong_here = code.wrong_here + 1;
  return { ...code, wrong_here, hash: wrong_here < MOST_WRONG_TRIES ? code.hash : null };
}

function digest(salt: string, code: string): Buffer {
  return createHmac('sha256', salt).update(code).digest();
}
