import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#kernel/clock.js';
import type { Ids } from '#kernel/ids.js';
import { hashOf } from '#kernel/credential-hash.js';
import { CLOCK, IDS, RECORDS } from '#kernel/injection-tokens.js';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
} from '#eventsourcing/documents/document-store.js';
import type { Browser } from './browser.js';

/** `_id` is the SHA-256 (hex) of the browser's value. */
interface DeviceRecord {
  readonly _id: string;
  readonly operator_id: string;
  /** Milliseconds since the epoch. */
  readonly expires_at: number;
}

const DEVICES: CollectionDeclaration<DeviceRecord> = {
  name: 'operator_devices',
  indexes: { by_operator: { fields: ['operator_id', 'expires_at'] } },
  expiry: 'expires_at',
};

const LIFETIME_MS = 90 * 24 * 60 * 60 * 1000;
/** A client that drops its cookie makes a record at each sign-in. The oldest record is deleted for it. */
const MOST_PER_OPERATOR = 20;

/**
 * Browsers where operators have signed in before. Their value gives no access. Failed logins of a known browser are counted
 * apart, so that strangers cannot lock the owner out (decisions §6). Every method throws StoreUnavailableError.
 */
@Injectable()
export class OperatorDevices {
  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
  ) {}

  /** The device that asks. Undefined if it is unknown or its record has expired. */
  async findDevice({
    device: token,
  }: Browser): Promise<Pick<DeviceRecord, '_id' | 'operator_id'> | undefined> {
    const device = token === undefined ? undefined : await (await this.#open()).get(hashOf(token));
    return device === undefined || device.expires_at <= this.clock.now() ? undefined : device;
  }

  /** Gives the value by which the device is known at the next sign-in. */
  async remember(operator_id: string, browser: Browser): Promise<void> {
    const token = this.ids.secret();
    const document = { _id: hashOf(token), operator_id, expires_at: this.clock.now() + LIFETIME_MS };
    const { documents } = await (
      await this.#open()
    ).find('by_operator', { equals: [operator_id], limit: MOST_PER_OPERATOR });
    const oldest = documents.length < MOST_PER_OPERATOR ? [] : documents.slice(0, 1);
    await this.records.write([
      { kind: 'insert', collection: DEVICES.name, document },
      ...oldest.map(({ _id }) => ({ kind: 'delete', collection: DEVICES.name, id: _id }) as const),
    ]);
    browser.keepDevice(token, LIFETIME_MS / 1_000);
  }

  #open(): Promise<Collection<DeviceRecord>> {
    return this.records.collection(DEVICES);
  }
}
