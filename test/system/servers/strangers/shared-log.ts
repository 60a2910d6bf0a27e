import { randomUUID } from 'node:crypto';
import { runHere } from '../../../support/command-process.js';
import type { Parsed } from '../../../support/http-client.js';
import { type MongoServer, mongoServer, withDatabase } from '../../../support/mongo-server.js';
import { demand } from '../../../support/service.js';
import { temporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.js';
import { waitUntil } from '../../../support/wait-until.js';
import { eventServer, type EventServer } from '../event-server.js';
import { dropDatabase } from '../server-stores.js';
import { type ProcessCompany, ServiceProcess } from '../service-process.js';
import { Stranger } from './stranger.js';

const BULK_UNITS = 20;

/** An event store that the service shares with strangers, and everything that must go on working on it. */
export class SharedLog {
  service!: ServiceProcess;
  company!: ProcessCompany;
  #rounds = 0;

  private constructor(
    readonly server: EventServer,
    readonly stranger: Stranger,
    private readonly mongo: MongoServer,
    private readonly database: string,
    private readonly folder: TemporaryFolder,
  ) {}

  static async open(): Promise<SharedLog> {
    const [server, mongo, folder] = await Promise.all([eventServer(), mongoServer(), temporaryFolder()]);
    return new SharedLog(server, Stranger.on(server), mongo, `test_${randomUUID()}`, folder);
  }

  async close(): Promise<void> {
    await (this.service as ServiceProcess | undefined)?.kill();
    await this.stranger.close();
    await this.server.close();
    if (!this.mongo.isStandIn) await dropDatabase(this.mongo.url, this.database);
    await this.mongo.stop();
    await this.folder.remove();
  }

  /** Starts a process; with the first one comes a company. */
  async start(): Promise<void> {
    const { EVENTSTORE_URL, MONGODB_URL, ...environment } = this.#variables();
    this.service = await ServiceProcess.start({
      eventStoreUrl: EVENTSTORE_URL,
      mongoUrl: MONGODB_URL,
      folder: this.folder.path,
      environment,
    });
    this.company ??= await this.service.company();
  }

  command(...parameters: string[]) {
    return runHere(parameters, { ...this.#variables(), DATA_DIR: this.folder.path });
  }

  /** Requests and commands. */
  async demandEverythingWorks(): Promise<void> {
    await this.demandRequestsWork();
    const units = await this.service.units(this.company);
    await this.demandCommandsWork();
    expect(await this.service.units(this.company)).toHaveLength(units.length);
  }

  /** A move-in, a bulk twice, the whole feed, a history, the lag. */
  async demandRequestsWork(): Promise<void> {
    const round = (this.#rounds += 1);
    const unit = `U-${round}`;
    demand(201, await this.moveIn(unit));
    const bulk = Array.from({ length: BULK_UNITS }, (_, number) => rented(`B-${round}-${number}`));
    expect(await this.bulk(bulk)).toMatchObject({ created: BULK_UNITS, errors: [] });
    expect(await this.bulk(bulk)).toMatchObject({ created: 0, updated: 0, errors: [] });
    const { entries } = await this.get(`/units/${unit}/history`);
    expect(entries).toHaveLength(2);
    const units = (await this.service.units(this.company)).map(({ crm_unit_id }) => crm_unit_id as string);
    expect(units).toEqual(expect.arrayContaining([unit, ...bulk.map(({ crm_unit_id }) => crm_unit_id)]));
    expect(await this.registeredInFeed()).toEqual([...units].sort());
    await this.untilViewsShowAll();
  }

  moveIn(unit: string) {
    const body = { pms_tenant_id: `t-${unit}`, move_in_date: '2025-12-01', pms_location_code: 'MAIN' };
    return this.service.call('put', `/api/v2/units/${unit}/tenancy`, { body, token: this.company.token });
  }

  async bulk(units: readonly object[]): Promise<Parsed> {
    const { token } = this.company;
    return demand(200, await this.service.call('patch', '/api/v2/units', { body: { units }, token }));
  }

  async get(path: string): Promise<Parsed> {
    return demand(200, await this.service.call('get', `/api/v2${path}`, { token: this.company.token }));
  }

  async untilViewsShowAll(): Promise<void> {
    await waitUntil(
      async () => (await this.service.call('get', '/health/ready')).body.data.projection,
      ({ status, lag }) => status === 'ok' && lag === 0,
    );
  }

  /** The units that the whole feed says were registered, in order of their names. */
  private async registeredInFeed(): Promise<string[]> {
    const units: string[] = [];
    for (let known: string | null = null; ;) {
      const after: string = known === null ? '' : `&after=${known}`;
      const { events, next_after } = await this.get(`/events?limit=500${after}`);
      for (const { type, subject } of events)
        if (type === 'UnitRegistered') units.push(subject.crm_unit_id as string);
      // A page may be empty before the end: it has read many events of others.
      if (next_after === known) return units.sort();
      known = next_after as string | null;
    }
  }

  private async demandCommandsWork(): Promise<void> {
    const verified = await this.command('audit', 'verify');
    expect(verified).toMatchObject({ status: 0, stdout: expect.stringMatching(/^ok: \d+ events/) });
    const exported = await this.command('audit', 'export');
    expect(exported.status).toBe(0);
    const lines = exported.stdout.trimEnd().split('\n');
    expect(JSON.parse(lines.pop()!)).toHaveProperty('manifest');
    const verifiedEvents = Number(/^ok: (\d+) events/.exec(verified.stdout)![1]);
    expect(lines.length).toBeGreaterThanOrEqual(verifiedEvents);
    const rebuilt = await this.command('views', 'rebuild');
    expect(rebuilt).toMatchObject({ status: 0, stdout: expect.stringMatching(/^ok: /) });
  }

  #variables() {
    return {
      EVENTSTORE_URL: this.server.url,
      EVENTSTORE_STREAM_PREFIX: this.server.streamPrefix,
      MONGODB_URL: withDatabase(this.mongo.url, this.database),
    };
  }
}

export function rented(crm_unit_id: string) {
  const tenancy = { occupied: true, pms_tenant_id: `t-${crm_unit_id}`, move_in_date: '2025-12-01' };
  return { crm_unit_id, ...tenancy, pms_location_code: 'MAIN' };
}
