import { Injectable } from '@nestjs/common';
import { toTimestamp } from '#kernel/timestamp.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { KeyIssues, type OutstandingKey } from '#domain/locks/index.js';
import { LocationDirectory } from '#domain/locations/index.js';

type OfCompany<Id extends string> = Readonly<Record<Id | 'company_id', string>>;

/** Keys that were given out and have not expired, as operators see them. All methods throw StoreUnavailableError. */
@Injectable()
export class KeysOutstanding {
  constructor(
    private readonly issues: KeyIssues,
    private readonly locations: LocationDirectory,
    private readonly clocks: CompanyClocks,
  ) {}

  /** The keys to each lock, in the order of `lock_ids`. All locks are of one company. */
  async toLocks(lock_ids: readonly string[], company_id: string) {
    const keys = await this.issues.outstanding(lock_ids, await this.clocks.now(company_id));
    return keys.map((ofLock) => ofLock.map(presentHolder));
  }

  /** Keys given out for a unit, except keys to the locks in `without`. They open entry points, and locks since removed. */
  async ofUnit({ unit_id, company_id }: OfCompany<'unit_id'>, without: readonly string[]) {
    const keys = await this.issues.outstandingForUnit(unit_id, await this.clocks.now(company_id));
    return this.#named(keys.filter(({ lock_id }) => !without.includes(lock_id)));
  }

  async ofTenant({ tenant_id, company_id }: OfCompany<'tenant_id'>) {
    const now = await this.clocks.now(company_id);
    const keys = await this.#named(await this.issues.outstandingForTenant(tenant_id, now));
    return keys.map(({ tenant_id: _own, ...key }) => key);
  }

  /** The keys that a pass gave its holders. */
  async ofPass(holders: readonly string[], { pass_id, company_id }: OfCompany<'pass_id'>) {
    const now = await this.clocks.now(company_id);
    const keys = await Promise.all(holders.map((id) => this.issues.outstandingForTenant(id, now)));
    return this.#named(keys.flat().filter((key) => key.pass_id === pass_id));
  }

  #named(keys: readonly OutstandingKey[]) {
    return Promise.all(
      keys.map(async (key) => {
        const { lock_id } = key;
        const lock = await this.locations.lock(lock_id);
        const opened =
          lock === undefined
            ? { entry_point_id: lock_id, name: (await this.locations.entryPoint(lock_id))?.name ?? null }
            : { lock_id, name: lock.name };
        return { ...opened, ...presentHolder(key) };
      }),
    );
  }
}

function presentHolder({ tenant_id, expires_at }: OutstandingKey) {
  return { tenant_id, expires_at: toTimestamp(expires_at) };
}
