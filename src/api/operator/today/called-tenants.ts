import { Inject, Injectable } from '@nestjs/common';
import { type Calendar, TENANT_ACCESS } from '#domain/access/index.js';
import { AnnouncedChanges } from '#domain/announcements/index.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { Operators } from '#domain/operators/index.js';
import { type TenantAccount, TenantAccounts, type TenantCall } from '#domain/tenants/index.js';
import { CALENDAR, VIEWS } from '#kernel/injection-tokens.js';
import { toTimestamp } from '#kernel/timestamp.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';

/** Milliseconds. No day of a site is longer, not even where the clocks change. */
const LONGEST_DAY = 26 * 60 * 60_000;

/** A call that holds, with the operator's e-mail; null: the operator was removed. */
export interface ShownCall {
  readonly called_at: string;
  readonly called_by: string | null;
}

export type HoldingCalls = ReadonlyMap<string, ShownCall>;

type Called = TenantAccount & { readonly called: TenantCall };

/**
 * Finds who was called today (decisions §14). A call holds until the site's day ends, or the access of one of the tenant's
 * units changes. Throws StoreUnavailableError.
 */
@Injectable()
export class CalledTenants {
  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    @Inject(CALENDAR) private readonly calendar: Calendar,
    private readonly clocks: CompanyClocks,
    private readonly accounts: TenantAccounts,
    private readonly locations: LocationDirectory,
    private readonly announced: AnnouncedChanges,
    private readonly operators: Operators,
  ) {}

  /** All calls of a company that hold, by `tenant_id`. Reads nobody who was not called. */
  async findCallsOfCompany(company_id: string): Promise<HoldingCalls> {
    const now = await this.clocks.now(company_id);
    return this.findCalls(await this.accounts.calledSince(company_id, now - LONGEST_DAY));
  }

  /** The calls that hold, by `tenant_id`. Reads nothing where nobody was called. */
  async findCalls(accounts: readonly (TenantAccount | undefined)[]): Promise<HoldingCalls> {
    const called = await this.#calledToday(accounts.filter((account) => isCalled(account)));
    if (called.length === 0) return new Map();
    const [changed, names] = await Promise.all([
      this.#changedSince(called),
      this.operators.namesOf([...new Set(called.map(({ called: { by } }) => by))]),
    ]);
    const holding = called.filter(({ tenant_id }) => !changed.has(tenant_id));
    return new Map(
      holding.map(({ tenant_id, called: { at, by } }) => [
        tenant_id,
        { called_at: toTimestamp(at), called_by: names.get(by) ?? null },
      ]),
    );
  }

  async #calledToday(called: readonly Called[]): Promise<readonly Called[]> {
    const today: Called[] = [];
    for (const account of called) {
      const location = await this.locations.location(account.location_id);
      if (location === undefined) continue;
      const { timezone } = location.policy;
      const now = await this.clocks.now(account.company_id);
      const dateOf = (at: number) => this.calendar.dateAt(at, timezone);
      if (dateOf(account.called.at) === dateOf(now)) today.push(account);
    }
    return today;
  }

  /** The ids of tenants with a unit whose access began after the call. */
  async #changedSince(called: readonly Called[]): Promise<ReadonlySet<string>> {
    const access = await this.views.collection(TENANT_ACCESS);
    const documents = await access.getMany(called.map(({ tenant_id }) => tenant_id));
    const units = called.flatMap(({ company_id, tenant_id, called: { at } }, index) =>
      (documents[index]?.units ?? [])
        .filter(({ relationship }) => relationship === 'primary')
        .map(({ unit_id }) => ({ company_id, unit_id, tenant_id, at })),
    );
    const beginnings = await this.announced.findBeginnings(units);
    const changed = units.filter(({ at }, index) => (beginnings[index] ?? 0) > at);
    return new Set(changed.map(({ tenant_id }) => tenant_id));
  }
}

function isCalled(account: TenantAccount | undefined): account is Called {
  return account?.called != null;
}
