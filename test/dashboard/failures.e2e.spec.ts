import { COMPANIES } from '#domain/companies/company.documents.js';
import { CallerBounds } from '#web/caller-bounds.js';
import { tooManyAttempts } from '#kernel/errors/api-error.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { Operators, OperatorSessions } from '#domain/operators/index.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { type Company, demand, Service, type Stores } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';
import { withMembers } from '../support/with-members.js';
import { Visitor } from './support/visitor.js';

/** A log whose streams cannot be read: it says so, or says nothing. */
class FailingLog {
  reads: 'answered' | 'refused' | 'unanswered' = 'answered';
  waiting = 0;
  #speak!: () => void;
  readonly #spoken = new Promise<void>((resolve) => (this.#speak = resolve));

  readonly wrap = (stores: Stores): Stores => {
    const { eventStore } = stores;
    const readStream: EventStore['readStream'] = (...given) => this.#read(eventStore, given);
    return { ...stores, eventStore: withMembers(eventStore, { readStream }) };
  };

  speak(): void {
    this.reads = 'answered';
    this.#speak();
  }

  async #read(store: EventStore, given: Parameters<EventStore['readStream']>) {
    if (this.reads === 'refused') throw new StoreUnavailableError('The log is away.', false);
    if (this.reads === 'unanswered') {
      this.waiting += 1;
      await this.#spoken;
    }
    return store.readStream(...given);
  }
}

let log: FailingLog;
let service: Service;
let auditor: Visitor;
let company: Company;
let path: string;

beforeAll(async () => {
  log = new FailingLog();
  service = await Service.start({ wrap: log.wrap });
  company = await service.company();
  path = `/dashboard/units/${demand(201, await company.moveIn('A')).unit_id}`;
  auditor = await Visitor.of(service, 'auditor');
});
afterAll(async () => {
  log.speak();
  await service.close();
});

function expectPage(): void {
  const { status, headers } = auditor.shown;
  expect([status, headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(headers['retry-after']).toBeDefined();
  expect(auditor.text).toContain('A store cannot be reached at the moment.');
  expect(auditor.links).toEqual(
    expect.arrayContaining(['/dashboard/companies', '/dashboard/audit', '/dashboard/account']),
  );
  expect(auditor.html).toContain('Your account');
  expect(auditor.links).not.toContain('/dashboard/operators');
}

describe('a page that the stores keep from being told', () => {
  it('is one that leads on, where a store says that it is away', async () => {
    log.reads = 'refused';
    await auditor.visit(path);
    expectPage();
  });

  it('is one that leads on, where a store says nothing', async () => {
    log.reads = 'unanswered';
    const { waiting } = log;
    const visited = auditor.visit(path);
    await waitUntil(() => log.waiting > waiting);
    service.manualClock.advance(10_000);
    await visited;
    expectPage();
  });
});

it('a unit’s page says that a store is away while the views lack its company', async () => {
  log.speak();
  await auditor.visit(path);
  expect(auditor.shown.status).toBe(200);
  const { views } = service.stores;
  const companies = await views.collection(COMPANIES);
  const document = (await companies.get(company.id))!;
  await views.write([{ kind: 'delete', collection: COMPANIES.name, id: company.id }]);
  for (const part of ['', '/history', '/activity', '/setup']) {
    await auditor.visit(path + part);
    expectPage();
  }
  await views.write([{ kind: 'put', collection: COMPANIES.name, document }]);
});

describe('a page that refuses', () => {
  afterEach(() => jest.restoreAllMocks());

  it('asks the stores nothing more for one who asks too often', async () => {
    let asked = 0;
    jest.spyOn(service.part(CallerBounds), 'beginRead').mockImplementation(() => {
      jest.spyOn(service.part(Operators), 'byId').mockImplementation(() => {
        asked += 1;
        return Promise.resolve(undefined);
      });
      throw tooManyAttempts({ windowSeconds: 5, retryAfterSeconds: 5 });
    });
    await auditor.visit(path);
    expect([auditor.shown.status, asked]).toEqual([429, 0]);
    expect(auditor.links).toContain('/dashboard/audit');
  });

  it('leaves out who looks at it where the stores cannot tell', async () => {
    const away = new StoreUnavailableError('It is away.', false);
    jest.spyOn(service.part(OperatorSessions), 'verify').mockRejectedValue(away);
    await auditor.visit('/dashboard/nothing');
    expect([auditor.shown.status, auditor.text]).toEqual([404, expect.stringContaining('Sign in')]);
  });

  it('hides no fault of the service itself', async () => {
    jest.spyOn(service.part(OperatorSessions), 'verify').mockRejectedValue(new TypeError('A fault.'));
    expect((await auditor.visit('/dashboard/nothing')).status).toBe(500);
    expect(service.failures.splice(0)).toEqual([expect.stringContaining('TypeError: A fault.')]);
  });
});
