import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Clock } from '../config/clock.js';
import type { Environment } from '../config/environment.js';
import { type Ids, hashOf } from '../config/ids.js';
import { CLOCK, ENVIRONMENT, IDS, RECORDS } from '../config/injection-tokens.js';
import type { Collection, CollectionDeclaration, DocumentStore } from '../documents/document-store.js';
import { cookieOf, setCookie } from '../http/cookies.js';

/** `_id` is the SHA-256 (hex) of the cookie's value. */
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

const COOKIE = 'operator_device';
const LIFETIME = 90 * 24 * 60 * 60 * 1000;
/** A client that drops its cookie makes a record at each sign-in. The oldest record is deleted for it. */
const MOST_PER_OPERATOR = 20;

/**
 * Browsers where operators have signed in before. Their cookie gives no access. Failed logins of a known browser are counted
 * apart, so that strangers cannot lock the owner out (decisions §6). Every method throws StoreUnavailableError.
 */
@Injectable()
export class OperatorDevices {
  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'production'>,
  ) {}

  /** The device that a request comes from. Undefined if it is unknown or its record has expired. */
  async of(request: Request): Promise<Pick<DeviceRecord, '_id' | 'operator_id'> | undefined> {
    const token = cookieOf(request, COOKIE);
    const device = token === undefined ? undefined : await (await this.#open()).get(hashOf(token));
    return device === undefined || device.expires_at <= this.clock.now() ? undefined : device;
  }

  /** Sets the cookie by which the device is known at the next sign-in. */
  async remember(operator_id: string, request: Request, response: Response): Promise<void> {
    const token = this.ids.secret();
    const document = { _id: hashOf(token), operator_id, expires_at: this.clock.now() + LIFETIME };
    const { documents } = await (
      await this.#open()
    ).find('by_operator', { equals: [operator_id], limit: MOST_PER_OPERATOR });
    const oldest = documents.length < MOST_PER_OPERATOR ? [] : documents.slice(0, 1);
    await this.records.write([
      { kind: 'insert', collection: DEVICES.name, document },
      ...oldest.map(({ _id }) => ({ kind: 'delete', collection: DEVICES.name, id: _id }) as const),
    ]);
    const { production } = this.environment;
    setCookie(request, response, { name: COOKIE, value: token, seconds: LIFETIME / 1_000, production });
  }

  #open(): Promise<Collection<DeviceRecord>> {
    return this.records.collection(DEVICES);
  }
}
