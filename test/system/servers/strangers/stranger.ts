import { randomUUID } from 'node:crypto';
import {
  binaryEvent,
  type Credentials,
  jsonEvent,
  NO_STREAM,
  persistentSubscriptionToStreamSettingsFromDefaults,
} from '@eventstore/db-client';
import { BatchClient } from '#stores/eventstoredb/batch-client.js';
import { readConnection } from '#stores/eventstoredb/connection.js';
import type { EventServer } from '../event-server.js';

/** With credentials the client appends on the unary path, which shares nothing with other clients of the process. */
const ADMIN: Credentials = { username: 'admin', password: 'changeit' };
const UNARY = { credentials: ADMIN, expectedRevision: NO_STREAM } as const;
const LARGEST_EVENT_BYTES = 1_048_576;
const IN_A_ROW = 10_000;
const IN_ONE_APPEND = 500;

/** An event marked as JSON, whatever its bytes are. */
interface RawEvent {
  readonly type?: string;
  readonly data?: string | Buffer;
  readonly metadata?: string | Buffer;
}

/** Other applications that share an event store with the service. */
export class Stranger {
  private constructor(
    private readonly server: EventServer,
    private readonly client: BatchClient,
  ) {}

  static on(server: EventServer): Stranger {
    const { settings, channel, credentials } = readConnection(server.url);
    return new Stranger(server, new BatchClient(settings, channel, credentials));
  }

  close(): Promise<void> {
    return this.client.dispose();
  }

  /** Leaves one of everything that applications leave in a log, in streams that are new each time. */
  async leaveEverything(): Promise<void> {
    await this.leaveOddContent();
    await this.leaveLooksOfOurs();
    await this.leaveOddNames();
    await this.leaveRecordsOfTheServer();
    await this.deleteStreams();
    await this.leaveManyInARow();
  }

  /** Binary events, no data, JSON that is no object, text that is no JSON, a megabyte. */
  private async leaveOddContent(): Promise<void> {
    const bytes = Uint8Array.of(0, 1, 254, 255);
    const binary = [
      binaryEvent({ type: 'Measured', data: bytes, metadata: bytes }),
      binaryEvent({ type: 'Measured', data: new Uint8Array() }),
    ];
    await this.client.appendToStream(newName('sensor'), binary, UNARY);
    const texts = ['', 'null', '"text"', '5', '[1]', '{"half":', Buffer.from(bytes)];
    await this.write(newName('orders'), ...texts.map((data) => ({ data })));
    await this.write(newName('orders'), ...texts.map((metadata) => ({ metadata })));
    await this.write(newName('orders'), { data: JSON.stringify('x'.repeat(LARGEST_EVENT_BYTES - 2)) });
  }

  /** Our types in others' streams, and streams whose names nearly have our prefix. */
  private async leaveLooksOfOurs(): Promise<void> {
    const { streamPrefix } = this.server;
    const ours = ['UnitRegistered', 'TenantMovedIn', 'LocationOpened', 'AccessChanged', 'OperatorRemoved'];
    const metadata = JSON.stringify({ schema: 1, hash: 'none', previous_hash: 'none' });
    await this.write(newName('orders'), ...ours.map((type) => ({ type, metadata })));
    for (const near of [streamPrefix.slice(0, -1), `x${streamPrefix}`, streamPrefix.toUpperCase()])
      await this.write(newName(`${near}unit`), { type: 'UnitRegistered', metadata });
  }

  private async leaveOddNames(): Promise<void> {
    const long = 'n'.repeat(900 - newName('').length);
    for (const name of [long, 'é/ %?#🔒', ' ', 'a\nb', '..', "'; DROP"])
      await this.write(newName(name), { type: `${name} happened` });
  }

  /** Links, metadata of streams, persistent subscriptions, a scavenge. */
  private async leaveRecordsOfTheServer(): Promise<void> {
    const { streamPrefix } = this.server;
    const link = { type: '$>', data: `0@${streamPrefix}company-1` };
    await this.write(newName('links'), link);
    await this.write(newName('$ce-orders'), link);
    const short = newName('short');
    await this.write(short, {}, {}, {});
    await this.keepOnlyLast(short);
    if (this.server.isNamed) {
      await this.subscribePersistently(short);
      await this.scavenge();
    } else {
      await this.write(newName('$persistentsubscription-orders::group-checkpoint'), {
        type: '$SubscriptionCheckpoint',
        data: '"7"',
      });
      await this.write(newName('$scavenges-'), { type: '$scavengeStarted' }, { type: '$scavengeCompleted' });
    }
  }

  private async subscribePersistently(stream: string): Promise<void> {
    const settings = persistentSubscriptionToStreamSettingsFromDefaults();
    const asAdmin = { credentials: ADMIN };
    await this.client.createPersistentSubscriptionToStream(stream, 'group', settings, asAdmin);
    await this.client.deletePersistentSubscriptionToStream(stream, 'group', asAdmin);
  }

  /** Where the server allows it: not every one has its HTTP interface there, nor this user. */
  private async scavenge(): Promise<void> {
    const { addresses, channel } = readConnection(this.server.url);
    const [{ host, port }] = addresses as [(typeof addresses)[0]];
    const scheme = channel.insecure === true ? 'http' : 'https';
    const authorization = `Basic ${Buffer.from(`${ADMIN.username}:${ADMIN.password}`).toString('base64')}`;
    await fetch(`${scheme}://${host}:${port}/admin/scavenge`, {
      method: 'POST',
      headers: { authorization, 'content-length': '0' },
    }).catch(() => undefined);
  }

  /** Softly, for good, and for good where there was none. */
  private async deleteStreams(): Promise<void> {
    const [soft, hard] = [newName('soft'), newName('hard')];
    await this.write(soft, {});
    await this.write(hard, {});
    await this.deleteSoftly(soft);
    await this.deleteForEver(hard);
    await this.deleteForEver(newName('never'));
  }

  /** By metadata that keep its last event alone. */
  async keepOnlyLast(stream: string): Promise<void> {
    await this.client.setStreamMetadata(stream, { maxCount: 1 }, { credentials: ADMIN });
  }

  /** By metadata. */
  async keepFor(stream: string, seconds: number): Promise<void> {
    await this.client.setStreamMetadata(stream, { maxAge: seconds }, { credentials: ADMIN });
  }

  /** The next event begins the stream anew. */
  async deleteSoftly(stream: string): Promise<void> {
    await this.client.deleteStream(stream, { credentials: ADMIN });
  }

  /** Leaves a tombstone. */
  async deleteForEver(stream: string): Promise<void> {
    await this.client.tombstoneStream(stream, { credentials: ADMIN });
  }

  private async leaveManyInARow(): Promise<void> {
    const name = newName('telemetry');
    for (let left = IN_A_ROW; left > 0; left -= IN_ONE_APPEND) {
      const events = Array.from({ length: IN_ONE_APPEND }, () =>
        jsonEvent({ type: 'Measured', data: { left } }),
      );
      await this.client.appendToStream(`${name}-${left}`, events, UNARY);
    }
  }

  /** Appends to a new stream, over a call of our own, which sends bytes as they are. */
  private async write(stream: string, ...raw: RawEvent[]): Promise<void> {
    await this.writeTo(stream, 'no_stream', ...raw);
  }

  /** As whoever has rights to a stream can, ours included. */
  async writeTo(stream: string, expected: number | 'no_stream', ...raw: RawEvent[]): Promise<void> {
    const events = raw.map(({ type = 'Happened', data = '{}', metadata = '{}' }) => ({
      id: randomUUID(),
      type,
      data: {},
      metadata: {},
      dataBytes: Buffer.from(data),
      metadataBytes: Buffer.from(metadata),
    }));
    const attempt = await this.client.append({ stream, expected, events }, Date.now() + 60_000);
    if (attempt.kind !== 'acknowledged') throw new Error(`${stream}: ${JSON.stringify(attempt)}`);
  }
}

function newName(beginning: string): string {
  return `${beginning}-${randomUUID()}`;
}
