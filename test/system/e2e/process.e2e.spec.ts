import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '#kernel/clock.js';
import { openEmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { ownStreams } from '../../support/own-streams.js';
import { EmbeddedEventStore } from '#stores/embedded/log/embedded-event-store.js';
import type { RecordedEvent } from '#eventsourcing/log/event-store.js';
import { STORE_FOLDER, VIEWS_FOLDER } from '#app/adapters.js';
import { upTo } from '../../support/campaign.js';
import { checkedStreams, foldUnit } from '../../support/log-check.js';
import type { HttpClient, Parsed } from '../../support/http-client.js';
import { ServiceProcess, setUpCompany } from '../../support/service-process.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { waitUntil } from '../../support/wait-until.js';

/** The first has acknowledged one write, and each a few more. */
const KILLS = upTo(2, 20);
const WRITERS = 8;

let data: TemporaryFolder;
/** One for all tests, each with a company of its own. */
let service: ServiceProcess;

beforeAll(async () => {
  data = await temporaryFolder();
  service = await ServiceProcess.start(data.path);
});
beforeEach(async () => {
  // One test leaves it ended.
  if (service.hasEnded) service = await ServiceProcess.start(data.path);
});
afterAll(async () => {
  await service.kill();
  await data.remove();
});

/** The log as it lies on the disk, whether the service runs or has ended. */
async function storedLog(): Promise<RecordedEvent[]> {
  const folder = join(data.path, STORE_FOLDER);
  const database = await openEmbeddedDatabase({ folder, durable: true, clock: systemClock, readOnly: true });
  const store = ownStreams(new EmbeddedEventStore(database));
  const log = await store.readAll({ limit: 1_000_000 });
  await store.close();
  return log;
}

/** Writes that were acknowledged to a writer, and those without an answer. */
interface Told {
  acknowledged: number;
  readonly key: string;
}

/** Asks again for the last write that was acknowledged, then counts a unit's balance up until the connection ends. */
async function writeUntilCutOff(client: HttpClient, token: string, unit: string, told: Told): Promise<void> {
  const entry = {
    occupied: true,
    pms_location_code: 'A',
    pms_tenant_id: 't-1',
    move_in_date: '2025-01-01',
  };
  for (let next = Math.max(told.acknowledged, 1); ; next += 1) {
    const units = [{ crm_unit_id: unit, ...entry, balance_due: next }];
    const headers = { 'Idempotency-Key': `${told.key}-${next}` };
    try {
      const answer = await client.call('patch', '/api/v2/units', { body: { units }, token, headers });
      // Every write changes the balance, also in the answer to the retry of one that was done and not answered.
      const { created, updated } = answer.body.data;
      if (answer.status !== 200 || created + updated !== 1) throw new Refusal(answer.text);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      return;
    }
    told.acknowledged = next;
  }
}

class Refusal extends Error {}

async function listed(client: HttpClient, token: string): Promise<Parsed[]> {
  return (await client.call('get', '/api/v2/units?limit=500', { token })).body.data.units;
}

describe('a process that is killed', () => {
  it(`${KILLS} times amid writes has every write that it acknowledged, and retries find what it had done`, async () => {
    const { token } = await setUpCompany(service);
    const told = Array.from({ length: WRITERS }, (_, number): Told => ({
      acknowledged: 0,
      key: `w${number}`,
    }));
    const unit = (number: number) => `U-${number}`;
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const before = told.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
      const writers = told.map((one, number) => writeUntilCutOff(service.client, token, unit(number), one));
      const acknowledged = () => told.reduce((sum, one) => sum + one.acknowledged, 0) - before;
      // Each time a little later, so that the end falls on ever other moments of a write.
      await waitUntil(() => told.every((one) => one.acknowledged > 0) && acknowledged() >= kill);
      await Promise.all([service.kill(), ...writers]);
      // Every other start has no views to begin with.
      if (kill % 2 === 0) await rm(join(data.path, VIEWS_FOLDER), { recursive: true, force: true });
      service = await ServiceProcess.start(data.path);
      const units = await listed(service.client, token);
      told.forEach((one, number) => {
        const found = units.find(({ crm_unit_id }) => crm_unit_id === unit(number));
        const balance = found?.facts.balance_due ?? 0;
        expect([one.acknowledged, one.acknowledged + 1]).toContain(balance);
      });
      checkedStreams(await storedLog());
    }
    const writes = told.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
    expect(writes).toBeGreaterThan(KILLS);
    const revisions = await Promise.all(
      told.map(async (_one, number) => {
        const path = `/api/v2/units/${unit(number)}`;
        const { revision, facts } = (await service.client.call('get', path, { token })).body.data;
        // Registered and moved in, then one change a write: none twice, none lost.
        return revision - 1 - facts.balance_due;
      }),
    );
    expect(revisions).toEqual(Array.from({ length: WRITERS }, () => 0));
  });
});

describe('a process that is told to end', () => {
  it('finishes what runs and ends with status 0, and whatever came before, its log is whole', async () => {
    const { company_id, token } = await setUpCompany(service);
    const told: Told = { acknowledged: 0, key: 'w' };
    const writer = writeUntilCutOff(service.client, token, 'U-1', told);
    await waitUntil(() => told.acknowledged > 5);
    expect([await service.stop(), service.errors]).toEqual([0, []]);
    await writer;
    const written = checkedStreams(await storedLog()).get(`unit-${company_id}.U-1`)!;
    const cents = 100 * told.acknowledged;
    expect([cents, cents + 100]).toContain(foldUnit(written).facts.balance_due);
  });
});
