import { rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { INestApplication, Type } from '@nestjs/common';
import { ACCESS_CATEGORY } from '#domain/access/core/access.events.js';
import { createApplication } from '#app/application.js';
import type { Clock } from '#kernel/clock.js';
import { readEnvironment } from '#kernel/environment/environment.js';
import { systemIds } from '#kernel/ids.js';
import type { Logger } from '#kernel/logger.js';
import type { StorageAccessClient } from 'storage-access-client';
import { openEmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { EmbeddedDocumentStore } from '#stores/embedded/documents/embedded-document-store.js';
import { ownStreams } from './own-streams.js';
import { EmbeddedEventStore } from '#stores/embedded/log/embedded-event-store.js';
import type { RecordedEvent } from '#eventsourcing/log/event-store.js';
import { HmacKeyIssuer } from '#domain/locks/index.js';
import { openEmbeddedViews, type Ports, STORE_FOLDER, VIEWS_FOLDER } from '#app/adapters.js';
import { OutboxSmsSender } from '#domain/tenants/sms/outbox-sms-sender.js';
import { type Answer, type CallOptions, HttpClient, type Method, type Parsed } from './http-client.js';
import { joinOperator } from './join-operator.js';
import { ManualClock } from './manual-clock.js';
import { describedClient } from './described-client.js';
import { describedAnswers } from './openapi/described-answers.js';
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.js';
import { CHEAP_PASSWORDS } from './cheap-passwords.js';
import { UNLIMITED } from './unlimited.js';

export type Stores = Pick<Ports, 'eventStore' | 'records' | 'views' | 'embedded' | 'presence'>;

/** The data of a service. Opened again on the same folder, it holds the same. */
export interface StoresFactory {
  open(folder: string, clock: Clock): Promise<Stores>;
  /** Deletes the views while nothing has them open. */
  dropViews(folder: string): Promise<void>;
}

/** As `openPorts` opens them, but not waiting for the disk: tests of durability run a process of its own. */
export const embeddedStores: StoresFactory = {
  async open(folder, clock) {
    const store = await openEmbeddedDatabase({ folder: join(folder, STORE_FOLDER), durable: false, clock });
    return {
      eventStore: ownStreams(new EmbeddedEventStore(store)),
      records: new EmbeddedDocumentStore(store, clock),
      views: await openEmbeddedViews(folder, clock),
      embedded: true,
    };
  },
  dropViews: (folder) => rm(join(folder, VIEWS_FOLDER), { recursive: true, force: true }),
};

let usualStores = embeddedStores;

/** What every service that is started from now on in this test file keeps its data in, unless told otherwise. */
export function useStores(stores: StoresFactory): void {
  usualStores = stores;
}

export interface ServiceOptions {
  readonly stores?: StoresFactory;
  /** Stands between the service and its stores, at every start: for faults. */
  readonly wrap?: (this: void, stores: Stores) => Stores;
  readonly clock?: Clock;
  readonly environment?: Readonly<Record<string, string>>;
  /** Puts a store into the empty folder before the service opens it. */
  readonly fill?: (folder: string) => Promise<unknown>;
}

const EMAIL = 'ada@example.com';
const PASSWORD = 'correct horse battery staple';
const SESSION_MILLISECONDS = 11 * 60 * 60 * 1000;
const UNUSED_MILLISECONDS = 59 * 60 * 1000;
const SECRET = 'a master secret for tests, 32 or more';

/** The whole service in this process, on stores of its own, listening on a port of its own. */
export class Service {
  #application!: INestApplication;
  #client!: HttpClient;
  #stores!: Stores;
  #session: { readonly token: string; readonly until: number; used_at: number } | undefined;
  /** Failures that the service called its own. No test expects one. */
  readonly failures: string[] = [];

  private constructor(
    private readonly folder: TemporaryFolder,
    readonly clock: Clock,
    private readonly options: ServiceOptions,
  ) {}

  static async start(options: ServiceOptions = {}): Promise<Service> {
    const folder = await temporaryFolder();
    const service = new Service(folder, options.clock ?? new ManualClock(), options);
    await options.fill?.(folder.path);
    await service.#open();
    return service;
  }

  /** The clock of a service that was started without one. */
  get manualClock(): ManualClock {
    if (this.clock instanceof ManualClock) return this.clock;
    throw new Error('The service runs on another clock.');
  }

  get port(): number {
    return this.#client.port;
  }

  get application(): INestApplication {
    return this.#application;
  }

  /** A part of the running service. */
  part<T>(type: Type<T>): T {
    return this.#application.get(type, { strict: false });
  }

  /** The folder of the data. */
  get path(): string {
    return this.folder.path;
  }

  get stores(): Stores {
    return this.#stores;
  }

  call(method: Method, path: string, options?: CallOptions): Promise<Answer> {
    return this.#client.call(method, path, options);
  }

  /** The client of the package, for a credential. */
  client(token?: string): StorageAccessClient {
    return describedClient(this.port, token, describedAnswers(this.#application));
  }

  /** Calls the operator API, signing in where that is due. */
  async operator(method: Method, path: string, body?: unknown): Promise<Answer> {
    return this.call(method, `/api/operator${path}`, { body, token: await this.operatorToken() });
  }

  /** Adds an operator who has chosen this password. @returns the `operator_id` */
  async addOperator({
    password,
    ...rights
  }: {
    readonly email: string;
    readonly password: string;
    readonly role: string;
    readonly companies?: readonly string[] | null;
    readonly locations?: readonly string[] | null;
  }): Promise<string> {
    const { operator_id, invitation } = demand(201, await this.operator('post', '/operators', rights));
    await joinOperator(this.port, invitation, password);
    return operator_id;
  }

  async operatorToken(): Promise<string> {
    const now = this.clock.now();
    const session = this.#session;
    if (session === undefined || session.until <= now || session.used_at + UNUSED_MILLISECONDS <= now) {
      const body = { email: EMAIL, password: PASSWORD };
      const answer = await this.call('post', '/api/operator/sessions', { body });
      this.#session = { token: answer.body.data.token, until: now + SESSION_MILLISECONDS, used_at: now };
    }
    this.#session!.used_at = now;
    return this.#session!.token;
  }

  /** A new company with an API token and, unless told otherwise, one location, `MAIN`. */
  company(...locations: readonly LocationSettings[]): Promise<Company> {
    return this.#register({ name: 'Park Storage' }, locations);
  }

  /** The same of a company with a clock of its own. */
  sandbox(...locations: readonly LocationSettings[]): Promise<Company> {
    return this.#register({ name: 'Play Storage', sandbox: true }, locations);
  }

  async #register(registered: object, locations: readonly LocationSettings[]): Promise<Company> {
    const { company_id } = demand(201, await this.operator('post', '/companies', registered));
    const path = `/companies/${company_id}`;
    const { token } = demand(201, await this.operator('post', `${path}/api-tokens`, { name: 'PMS' }));
    const company = new Company(this, company_id, token);
    const wanted = locations.length === 0 ? [{ pms_location_code: 'MAIN' }] : locations;
    for (const location of wanted) await company.addLocation(location);
    return company;
  }

  /** The log without announcements, which no write of a test waits for; or one stream. */
  async events(stream?: string): Promise<RecordedEvent[]> {
    if (stream !== undefined) return this.#stores.eventStore.readStream(stream);
    return (await this.wholeLog()).filter((event) => !isAnnouncement(event));
  }

  /** Announced changes of access, and baselines. */
  async announcements(): Promise<RecordedEvent[]> {
    return (await this.wholeLog()).filter(isAnnouncement);
  }

  async wholeLog(): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for (;;) {
      const after = events.at(-1)?.position;
      const page = await this.#stores.eventStore.readAll({
        limit: 1000,
        ...(after === undefined ? {} : { after }),
      });
      if (page.length === 0) return events;
      events.push(...page);
    }
  }

  /** Stops the service and starts it again on the same data. */
  async restart({ keepViews = true }: { readonly keepViews?: boolean } = {}): Promise<void> {
    await this.#stop();
    if (!keepViews) await this.#factory.dropViews(this.folder.path);
    await this.#open();
  }

  /** @param ended called before its data are removed */
  async close(ended: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    await this.#stop();
    await ended();
    await this.folder.remove();
    if (this.failures.length > 0) throw new Error(`The service failed:\n${this.failures.join('\n')}`);
  }

  get #factory(): StoresFactory {
    return this.options.stores ?? usualStores;
  }

  async #stop(): Promise<void> {
    this.#client.close();
    await this.#application.close();
  }

  async #open(): Promise<void> {
    const { wrap = (stores: Stores) => stores } = this.options;
    this.#stores = wrap(await this.#factory.open(this.folder.path, this.clock));
    const environment = readEnvironment({
      DATA_DIR: this.folder.path,
      OPERATOR_EMAIL: EMAIL,
      OPERATOR_PASSWORD: PASSWORD,
      ...UNLIMITED,
      ...this.options.environment,
    });
    const { application } = await createApplication({
      passwordCost: CHEAP_PASSWORDS,
      environment,
      clock: this.clock,
      ids: systemIds,
      logger: this.#logger(),
      ...this.#stores,
      smsSender: new OutboxSmsSender(join(this.folder.path, 'sms-outbox.ndjson'), this.clock),
      keyIssuer: new HmacKeyIssuer(Buffer.from(SECRET)),
    });
    await application.listen(0, '127.0.0.1');
    this.#application = application;
    const { port } = (application.getHttpServer() as Server).address() as AddressInfo;
    this.#client = new HttpClient(port, describedAnswers(application));
  }

  #logger(): Logger {
    const nothing = () => undefined;
    const keep = (details: object, message: string) => {
      const { error } = details as { error?: unknown };
      this.failures.push(`${message} ${error instanceof Error ? error.stack : JSON.stringify(details)}`);
    };
    return { error: keep, warn: nothing, info: nothing, debug: nothing };
  }
}

export function isAnnouncement({ stream }: Pick<RecordedEvent, 'stream'>): boolean {
  return stream.startsWith(`${ACCESS_CATEGORY}-`);
}

export interface LocationSettings {
  readonly pms_location_code: string;
  readonly name?: string;
  readonly timezone?: string;
  readonly grace_period_days?: number;
}

/** A company that pushes under its own token. */
export class Company {
  /** Ids of its locations, by their codes. */
  readonly locations = new Map<string, string>();

  constructor(
    readonly service: Service,
    readonly id: string,
    readonly token: string,
  ) {}

  get client(): StorageAccessClient {
    return this.service.client(this.token);
  }

  async addLocation(settings: LocationSettings): Promise<string> {
    const body = { name: `Location ${settings.pms_location_code}`, ...settings };
    const answer = await this.service.operator('post', `/companies/${this.id}/locations`, body);
    const { location_id } = demand(201, answer);
    this.locations.set(settings.pms_location_code, location_id);
    return location_id;
  }

  /** Calls `/api/v2` under the company's token. */
  push(method: Method, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.service.call(method, `/api/v2${path}`, {
      body,
      token: this.token,
      ...(headers === undefined ? {} : { headers }),
    });
  }

  moveIn(crm_unit_id: string, body: object = {}): Promise<Answer> {
    const whole = { pms_tenant_id: 't-1', move_in_date: '2025-12-01', ...body };
    return this.push('put', `${unitPath(crm_unit_id)}/tenancy`, whole);
  }

  moveOut(crm_unit_id: string): Promise<Answer> {
    return this.push('delete', `${unitPath(crm_unit_id)}/tenancy`);
  }

  patch(crm_unit_id: string, facts: object): Promise<Answer> {
    return this.push('patch', unitPath(crm_unit_id), facts);
  }

  sync(units: readonly unknown[], headers?: Record<string, string>): Promise<Answer> {
    return this.push('patch', '/units', { units }, headers);
  }

  /** A unit as `GET` answers it. */
  async unit(crm_unit_id: string): Promise<Parsed> {
    return demand(200, await this.push('get', unitPath(crm_unit_id)));
  }

  /** State and reason of a unit, as `GET` answers them. */
  async access(crm_unit_id: string): Promise<string> {
    const { state, reason } = (await this.unit(crm_unit_id)).access;
    return reason === null ? state : `${state} ${reason}`;
  }

  /** All units of a list, page after page. */
  async list(query = ''): Promise<Parsed[]> {
    const { limit, ...rest } = Object.fromEntries(new URLSearchParams(query));
    const wanted = { ...rest, ...(limit === undefined ? {} : { limit: Number(limit) }) };
    const units: Parsed[] = [];
    for await (const unit of this.client.units(wanted)) units.push(unit);
    return units;
  }

  /** Sets a sandbox's clock forward. */
  async advance(seconds: number): Promise<Parsed> {
    const body = { advance_seconds: seconds };
    return demand(200, await this.service.operator('post', `/companies/${this.id}/clock`, body));
  }

  /** Events of the company's units. */
  async unitEvents(): Promise<RecordedEvent[]> {
    const events = await this.service.events();
    return events.filter(({ stream }) => stream.startsWith(`unit-${this.id}.`));
  }

  async eventTypes(): Promise<string[]> {
    return (await this.unitEvents()).map(({ type }) => type);
  }
}

export function unitPath(crm_unit_id: string): string {
  return `/units/${encodeURIComponent(crm_unit_id)}`;
}

/** An answer's data, where its status is the wanted one. */
export function demand(status: number, answer: Answer): Parsed {
  if (answer.status !== status) {
    throw new Error(`Expected ${status}, was answered ${answer.status}: ${answer.text}`);
  }
  return answer.body.data;
}
