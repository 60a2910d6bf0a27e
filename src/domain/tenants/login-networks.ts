import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#kernel/clock.js';
import { CLOCK, RECORDS } from '#kernel/injection-tokens.js';
import type {
  CollectionDeclaration,
  DocumentStore,
  StoredDocument,
} from '#eventsourcing/documents/document-store.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';
import { hashOf } from '#kernel/credential-hash.js';

/** A network from which somebody signs in with a phone. */
export interface LoginNetwork {
  readonly phone: string;
  /** A hash of phone and network. */
  readonly id: string;
  /** True if the phone has logged in from there in the last 90 days. */
  readonly isKnown: boolean;
}

/** A network from which a phone has logged in. `_id` is a hash of both. */
interface KnownNetwork extends StoredDocument {
  readonly phone: string;
  readonly expires_at: number;
}

const LOGIN_NETWORKS: CollectionDeclaration<KnownNetwork> = {
  name: 'login_places',
  indexes: { phone: { fields: ['phone'] } },
  expiry: 'expires_at',
};

const KNOWN_FOR_MS = 90 * 24 * 60 * 60_000;

/**
 * Networks from which a phone has logged in. Each has its own codes, tries and limits (decisions §5), so that a stranger
 * cannot lock the owner out. All methods throw StoreUnavailableError.
 */
@Injectable()
export class LoginNetworks {
  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @param network as `ClientAddresses.networkOf` answers it */
  async findNetwork(phone: string, network: string): Promise<LoginNetwork> {
    const id = hashOf(`${phone} ${network}`);
    const known = await (await this.records.collection(LOGIN_NETWORKS)).get(id);
    return { phone, id, isKnown: known !== undefined && this.clock.now() < known.expires_at };
  }

  async remember({ phone, id }: LoginNetwork): Promise<void> {
    const document: KnownNetwork = { _id: id, phone, expires_at: this.clock.now() + KNOWN_FOR_MS };
    await writeOne(this.records, LOGIN_NETWORKS, { kind: 'put', document });
  }

  /** Removes all networks of a phone. Idempotent. */
  async forget(phone: string): Promise<void> {
    const found = await (await this.records.collection(LOGIN_NETWORKS)).findAny('phone', [phone]);
    if (found.length === 0) return;
    await this.records.write(
      found.map(({ _id }) => ({ kind: 'delete', collection: LOGIN_NETWORKS.name, id: _id })),
    );
  }
}
