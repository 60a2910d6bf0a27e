import { Injectable } from '@nestjs/common';
import { KeyIssues, type OutstandingKey } from '#domain/locks/index.js';
import { type PassDocument, PassRecords } from '#domain/passes/index.js';
import { type TenantAccount, TenantAccounts } from '#domain/tenants/index.js';
import { timestampOrNull, toTimestamp } from '#kernel/timestamp.js';

/** Somebody who has or had a right, by an account and perhaps by a pass. */
export interface Holder {
  readonly tenant_id: string;
  readonly pass_id?: string | undefined;
}

/** Whom and what to read. */
interface AskedPeople {
  readonly holders: readonly Holder[];
  readonly passes: readonly PassDocument[];
  /** Of locks or entry points. */
  readonly lock_ids: readonly string[];
  /** Milliseconds, by the company's clock. */
  readonly now: number;
}

/** One key for each account and pass. */
const holderKey = ({ tenant_id, pass_id = '' }: Holder) => `${tenant_id} ${pass_id}`;

/** What people are called, and the keys that they hold. */
export class KnownPeople {
  /** For each holder, the key that ends last. */
  readonly #keys = new Map<string, OutstandingKey>();

  constructor(
    private readonly accounts: ReadonlyMap<string, TenantAccount>,
    private readonly namesOfPasses: ReadonlyMap<string, string | null>,
    keys: readonly OutstandingKey[],
  ) {
    for (const key of keys) {
      const known = this.#keys.get(holderKey(key));
      if (known === undefined || known.expires_at < key.expires_at) this.#keys.set(holderKey(key), key);
    }
  }

  person({ tenant_id, pass_id }: Holder) {
    const account = this.accounts.get(tenant_id);
    const own = account?.name ?? null;
    const name = pass_id === undefined ? own : (this.namesOfPasses.get(pass_id) ?? null);
    return { tenant_id, name, phone: account?.phone ?? null };
  }

  /** Until when a key of the holder opens. */
  keyExpiry(holder: Holder): string | null {
    return timestampOrNull(this.#keys.get(holderKey(holder))?.expires_at ?? null);
  }

  /** The accounts that hold a key which no pass gave. */
  keyTenants(): string[] {
    return [...this.#keys.values()].flatMap(({ tenant_id, pass_id }) =>
      pass_id === undefined ? tenant_id : [],
    );
  }

  /** Those who hold a key, and are not entitled to it any more. */
  keyHolders(entitled: readonly Holder[]) {
    const rights = new Set(entitled.map(holderKey));
    const others = [...this.#keys.values()].filter((key) => !rights.has(holderKey(key)));
    return others.map((key) => ({
      kind: 'key_holder' as const,
      ...this.person(key),
      pass_id: key.pass_id ?? null,
      key_expires_at: toTimestamp(key.expires_at),
    }));
  }
}

/** The part of a pass that lists of people show. */
export function termsOfPass({ pass_id, reason, from, until }: PassDocument) {
  return { pass_id, reason, from: toTimestamp(from), until: toTimestamp(until) };
}

/** Reads names, phones and keys of people. */
@Injectable()
export class KnownPeopleReader {
  constructor(
    private readonly issues: KeyIssues,
    private readonly accounts: TenantAccounts,
    private readonly records: PassRecords,
  ) {}

  /** @throws StoreUnavailableError */
  async read({ holders, passes, lock_ids, now }: AskedPeople): Promise<KnownPeople> {
    const keys = (await this.issues.outstanding(lock_ids, now)).flat();
    const ids = [...new Set([...holders, ...passes, ...keys].map(({ tenant_id }) => tenant_id))];
    const ofPasses = [...passes, ...keys].flatMap(({ pass_id }) => pass_id ?? []);
    const [accounts, records] = await Promise.all([
      this.accounts.byTenantId(ids),
      this.records.recordsOf([...new Set(ofPasses)]),
    ]);
    return new KnownPeople(
      new Map(accounts.flatMap((account) => (account === undefined ? [] : [[account.tenant_id, account]]))),
      new Map([...records].map(([pass_id, { name }]) => [pass_id, name])),
      keys,
    );
  }
}
