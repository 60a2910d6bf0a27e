import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../config/clock.js';
import { CLOCK, RECORDS } from '../config/injection-tokens.js';
import type { CollectionDeclaration, DocumentStore, StoredDocument } from '../documents/document-store.js';
import { hashOf } from '../config/ids.js';

/** A network, as codes and limits of one phone know it. */
export interface LoginPlace {
  /** A hash of phone and network. */
  readonly id: string;
  /** The phone has logged in from there in the last 90 days. */
  readonly isKnown: boolean;
}

/** That a phone has logged in from a network. `_id` is a hash of both. */
interface KnownPlace extends StoredDocument {
  readonly phone: string;
  readonly expires_at: number;
}

const LOGIN_PLACES: CollectionDeclaration<KnownPlace> = {
  name: 'login_places',
  indexes: { phone: { fields: ['phone'] } },
  expiry: 'expires_at',
};

const KEPT_FOR = 90 * 24 * 60 * 60_000;

/**
 * Networks from which a phone has logged in. These have codes, tries and limits of their own (decisions §5), so that no
 * stranger shuts the owner out. All methods throw StoreUnavailableError.
 */
@Injectable()
export class LoginPlaces {
  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @param network as `ClientAddresses.networkOf` tells it */
  async of(phone: string, network: string): Promise<LoginPlace> {
    const id = idOf(phone, network);
    const known = await (await this.records.collection(LOGIN_PLACES)).get(id);
    return { id, isKnown: known !== undefined && this.clock.now() < known.expires_at };
  }

  async remember(phone: string, network: string): Promise<void> {
    await this.records.collection(LOGIN_PLACES);
    const document: KnownPlace = {
      _id: idOf(phone, network),
      phone,
      expires_at: this.clock.now() + KEPT_FOR,
    };
    await this.records.write([{ kind: 'put', collection: LOGIN_PLACES.name, document }]);
  }

  /** Nobody has the phone any more. Idempotent. */
  async forget(phone: string): Promise<void> {
    const found = await (await this.records.collection(LOGIN_PLACES)).findAny('phone', [phone]);
    if (found.length === 0) return;
    await this.records.write(
      found.map(({ _id }) => ({ kind: 'delete', collection: LOGIN_PLACES.name, id: _id })),
    );
  }
}

function idOf(phone: string, network: string): string {
  return hashOf(`${phone} ${network}`);
}
