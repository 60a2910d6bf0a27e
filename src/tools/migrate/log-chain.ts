import type { RecordedEvent } from '../../log/event-store.js';
import { hashEvent, NO_PREVIOUS_HASH } from '../../log/hash-chain.js';
import type { EventMetadata } from '../../log/domain-event.js';
import { MigrationError } from './migration-error.js';

/** Follows the hash chains of all streams of a log, in its order. */
export class LogChain {
  readonly #heads = new Map<string, { readonly revision: number; readonly hash: string }>();

  get streams(): number {
    return this.#heads.size;
  }

  /** Whether the stream has been met, and at which revision it stands. */
  revision(stream: string): number | undefined {
    return this.#heads.get(stream)?.revision;
  }

  /** @throws MigrationError where the event does not follow the one before it in its stream */
  take({ stream, revision, type, data, metadata: stored }: RecordedEvent): void {
    const { hash, ...metadata } = stored as unknown as EventMetadata;
    const head = this.#heads.get(stream);
    const fits =
      revision === (head?.revision ?? -1) + 1 &&
      metadata.previous_hash === (head?.hash ?? NO_PREVIOUS_HASH) &&
      hash === hashEvent({ stream, revision, type, data, metadata });
    if (!fits) throw new MigrationError(`The hash chain breaks at revision ${revision} of ${stream}.`);
    this.#heads.set(stream, { revision, hash });
  }
}
