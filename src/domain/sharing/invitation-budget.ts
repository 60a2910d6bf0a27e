import { Inject, Injectable } from '@nestjs/common';
import type { CollectionDeclaration, DocumentStore } from '#eventsourcing/documents/document-store.js';
import { OVERTAKEN, untilItHolds } from '#eventsourcing/documents/until-it-holds.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';
import { hashOf } from '#kernel/credential-hash.js';
import { RECORDS } from '#kernel/injection-tokens.js';
import { RateLimiter } from '#kernel/rate-limiter.js';

const DAY_SECONDS = 24 * 60 * 60;
const DAY_MS = DAY_SECONDS * 1_000;
const OF_TENANT = { name: 'share-invitations', limit: 5, windowSeconds: DAY_SECONDS };
const OF_PHONE = { name: 'share-invitations-of-phone', limit: 1, windowSeconds: DAY_SECONDS };

/** An invitation that has taken its points. Its offer may still be to come. */
export interface TakenInvitation {
  readonly share_id: string;
  /** Milliseconds, by the company's clock. */
  readonly at: number;
  readonly unit_id: string;
  /** The account that is invited, or the share's id if one is to be made. */
  readonly guest_id: string;
}

/** The invitations of a day, of a tenant or to a phone. */
interface InvitationsOfDay {
  readonly _id: string;
  readonly version: number;
  readonly taken: readonly TakenInvitation[];
  readonly expires_at: number;
}

const INVITATIONS: CollectionDeclaration<InvitationsOfDay> = {
  name: 'share_invitations',
  indexes: {},
  expiry: 'expires_at',
};

/** Whom an invitation counts for. */
export interface Invitation extends Omit<TakenInvitation, 'at'> {
  readonly tenant_id: string;
  readonly phone: string;
}

/** Throws if there is no room for another one beside the invitations that the tenant has taken. */
export type RoomCheck = (taken: readonly TakenInvitation[]) => Promise<void>;

type Policy = typeof OF_TENANT;

/**
 * Bounds invitations: 5 of a tenant, and 1 to a phone, in 24 hours (decisions §13). An invitation counts once, however often
 * its request is repeated: so a counter of the rate limits will not do.
 */
@Injectable()
export class InvitationBudget {
  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    private readonly limits: RateLimiter,
  ) {
    for (const policy of [OF_TENANT, OF_PHONE]) limits.define(policy);
  }

  /**
   * The check comes before any point is taken. Requests of one tenant are checked one after the other, in whichever processes:
   * each finds what those before it have taken.
   * @param now milliseconds. @throws ApiError 429, and what `assertRoom` throws. @throws StoreUnavailableError
   */
  async take(invitation: Invitation, now: number, assertRoom: RoomCheck): Promise<void> {
    await this.#take(OF_TENANT, tenantKey(invitation), invitation, now, assertRoom);
    try {
      await this.#take(OF_PHONE, phoneKey(invitation), invitation, now);
    } catch (refusal) {
      await this.#giveBack(tenantKey(invitation), invitation.share_id);
      throw refusal;
    }
  }

  /** Of an invitation that was refused after all. @throws StoreUnavailableError */
  async giveBack(invitation: Invitation): Promise<void> {
    await this.#giveBack(phoneKey(invitation), invitation.share_id);
    await this.#giveBack(tenantKey(invitation), invitation.share_id);
  }

  #take(
    policy: Policy,
    _id: string,
    { share_id, unit_id, guest_id }: Invitation,
    now: number,
    assertRoom?: RoomCheck,
  ): Promise<void> {
    return untilItHolds(async () => {
      const before = await this.#read(_id);
      const taken = before?.taken.filter(({ at }) => now - at < DAY_MS) ?? [];
      if (taken.some((one) => one.share_id === share_id)) return undefined;
      await assertRoom?.(taken);
      if (taken.length >= policy.limit) {
        const free_at = Math.min(...taken.map(({ at }) => at)) + DAY_MS;
        throw this.limits.refusal(policy.name, { resetSeconds: Math.ceil((free_at - now) / 1_000) });
      }
      const own = { share_id, at: now, unit_id, guest_id };
      return this.#replace(before, { _id, taken: [...taken, own], expires_at: now + DAY_MS });
    });
  }

  #giveBack(_id: string, share_id: string): Promise<void> {
    return untilItHolds(async () => {
      const before = await this.#read(_id);
      if (before === undefined) return undefined;
      const taken = before.taken.filter((one) => one.share_id !== share_id);
      return this.#replace(before, { ...before, taken });
    });
  }

  async #read(_id: string): Promise<InvitationsOfDay | undefined> {
    return (await this.records.collection(INVITATIONS)).get(_id);
  }

  async #replace(
    before: InvitationsOfDay | undefined,
    after: Omit<InvitationsOfDay, 'version'>,
  ): Promise<undefined | typeof OVERTAKEN> {
    const document = { ...after, version: (before?.version ?? 0) + 1 };
    const write = { kind: 'compare_and_set', expected: before?.version ?? null, document } as const;
    return (await writeOne(this.records, INVITATIONS, write)) === 'written' ? undefined : OVERTAKEN;
  }
}

function tenantKey({ tenant_id }: Invitation): string {
  return `tenant ${tenant_id}`;
}

function phoneKey({ phone }: Invitation): string {
  return `phone ${hashOf(phone)}`;
}
