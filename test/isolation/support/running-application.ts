import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { createApplication } from '../../../src/application.js';
import { readEnvironment } from '../../../src/config/environment.js';
import { systemIds } from '../../../src/config/ids.js';
import type { RecordedEvent } from '../../../src/log/event-store.js';
import { HmacKeyIssuer } from '../../../src/locks/index.js';
import { OutboxSmsSender } from '../../../src/tenants/sms/outbox-sms-sender.js';
import { HttpClient } from '../../support/http-client.js';
import { ManualClock } from '../../support/manual-clock.js';
import { describedAnswers } from '../../support/openapi/described-answers.js';
import { embeddedStores, type Stores } from '../../support/service.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { WriteRecorder } from './recorder.js';
import { CHEAP_PASSWORDS } from '../../support/cheap-passwords.js';

/** An operator whose session and password any route may change; `OPERATOR` prepares what they find. */
export const BYSTANDER = { email: 'bystander@example.com', password: 'another horse battery staple' };
export const OPERATOR = { email: 'operator@example.com', password: 'correct horse battery staple' };

/**
 * The whole service in this process, its container within reach: tests read the route table from it, and see every
 * write that reaches its stores.
 */
export interface RunningApplication {
  readonly application: INestApplication;
  readonly client: HttpClient;
  readonly port: number;
  readonly clock: ManualClock;
  readonly stores: Stores;
  readonly writes: WriteRecorder;
  /** Failures that the service called its own. None is expected. */
  readonly failures: string[];
  /** The whole log. */
  events(): Promise<RecordedEvent[]>;
  close(): Promise<void>;
}

export async function startApplication(
  variables: Readonly<Record<string, string>> = {},
): Promise<RunningApplication> {
  const folder = await temporaryFolder();
  const clock = new ManualClock();
  const writes = new WriteRecorder();
  const stores = await embeddedStores.open(folder.path, clock);
  const failures: string[] = [];
  const { application } = await createApplication({
    passwordCost: CHEAP_PASSWORDS,
    environment: readEnvironment({ ...environment(folder.path), ...variables }),
    clock,
    ids: systemIds,
    logger: failuresTo(failures),
    ...stores,
    eventStore: writes.events(stores.eventStore),
    records: writes.records(stores.records),
    smsSender: new OutboxSmsSender(join(folder.path, 'sms-outbox.ndjson'), clock),
    keyIssuer: new HmacKeyIssuer(Buffer.from('a master secret for tests, 32 or more')),
  });
  await application.listen(0, '127.0.0.1');
  const { port } = (application.getHttpServer() as Server).address() as AddressInfo;
  const client = new HttpClient(port, describedAnswers(application));
  return {
    application,
    client,
    port,
    clock,
    stores,
    writes,
    failures,
    events: () => allEvents(stores),
    async close() {
      client.close();
      await application.close();
      await folder.remove();
    },
  };
}

function environment(folder: string): Record<string, string> {
  return {
    DATA_DIR: folder,
    OPERATOR_EMAIL: OPERATOR.email,
    OPERATOR_PASSWORD: OPERATOR.password,
    RATE_LIMIT_PMS_WRITES: '1000000',
    RATE_LIMIT_PMS_BULK: '1000000',
    RATE_LIMIT_READS: '1000000',
    RATE_LIMIT_AUTH_SOURCE: '1000000',
    SMS_LIMIT_COMPANY: '1000000/1000000',
    SMS_LIMIT_SERVICE: '1000000/1000000',
  };
}

function failuresTo(failures: string[]) {
  const nothing = () => undefined;
  return {
    error: (details: object, message: string) => {
      const { error } = details as { error?: unknown };
      failures.push(`${message} ${error instanceof Error ? error.stack : JSON.stringify(details)}`);
    },
    warn: nothing,
    info: nothing,
    debug: nothing,
  };
}

async function allEvents({ eventStore }: Stores): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (;;) {
    const after = events.at(-1)?.position;
    const page = await eventStore.readAll({ limit: 1000, ...(after === undefined ? {} : { after }) });
    if (page.length === 0) return events;
    events.push(...page);
  }
}
