import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../config/clock.js';
import type { Ids } from '../config/ids.js';
import { CLOCK, IDS, RECORDS } from '../config/injection-tokens.js';
import { pause } from '../config/pause.js';
import type { DocumentStore, Lease } from '../documents/document-store.js';
import { StoreUnavailableError } from '../storage/store.errors.js';
import { KeyedMutex } from '../writing/keyed-mutex.js';

const LEASE = 'operators';
const LEASE_MILLISECONDS = 10_000;
const PAUSE = 50;

/** Lets one thing at a time be done to operators, in whichever process. */
@Injectable()
export class OperatorTurn {
  readonly #mutex = new KeyedMutex();

  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
  ) {}

  /** @throws StoreUnavailableError where others do not come to an end */
  async take<T>(work: () => Promise<T>): Promise<T> {
    return this.#mutex.run([LEASE], async () => {
      const lease = await this.#lease();
      try {
        return await work();
      } finally {
        // What was done is done; the lease ends by itself.
        await this.records.releaseLease(lease).catch(() => undefined);
      }
    });
  }

  async #lease(): Promise<Lease> {
    const owner = this.ids.ulid();
    for (let waited = 0; waited < LEASE_MILLISECONDS; waited += PAUSE) {
      const lease = await this.records.takeLease(LEASE, owner, LEASE_MILLISECONDS);
      if (lease !== undefined) return lease;
      await pause(this.clock, PAUSE);
    }
    throw new StoreUnavailableError('Operators are being changed elsewhere.', false);
  }
}
