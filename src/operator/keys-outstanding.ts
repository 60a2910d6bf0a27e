import { Inject, Injectable } from '@nestjs/common';
import { presentInstant } from '../access/index.js';
import type { Clock } from '../config/clock.js';
import { CLOCK } from '../config/injection-tokens.js';
import { KeyIssues, type OutstandingKey } from '../locks/index.js';
import { LocationDirectory } from '../locations/index.js';

/** Keys that were given out and still open something, as the operator is shown them. All methods throw StoreUnavailableError. */
@Injectable()
export class KeysOutstanding {
  constructor(
    private readonly issues: KeyIssues,
    private readonly locations: LocationDirectory,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** For each lock, in the order of `lock_ids`, whoever has a key to it. */
  async toLocks(lock_ids: readonly string[]) {
    const keys = await this.issues.outstanding(lock_ids, this.clock.now());
    return keys.map((ofLock) => ofLock.map(presentHolder));
  }

  /** Keys given out for a unit, but for those to some locks: to locks taken off it, and to entry points. */
  async ofUnit(unit_id: string, without: readonly string[]) {
    const keys = await this.issues.outstandingForUnit(unit_id, this.clock.now());
    return this.#named(keys.filter(({ lock_id }) => !without.includes(lock_id)));
  }

  async ofTenant(tenant_id: string) {
    const keys = await this.#named(await this.issues.outstandingForTenant(tenant_id, this.clock.now()));
    return keys.map(({ tenant_id: _own, ...key }) => key);
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
  return { tenant_id, expires_at: presentInstant(expires_at) };
}
