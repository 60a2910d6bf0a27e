import type { DocumentWrite } from '#eventsourcing/documents/document-store.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { SummaryRounds, SummarySubscriptions, switchOffSummaries } from '#domain/summaries/index.js';
import { type Company, demand, Service, type Stores } from '../../support/service.js';
import { withMembers } from '../../support/with-members.js';
import { MailServer } from './support/mail-server.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const CHICAGO = { pms_location_code: 'MAIN', name: 'Main St', timezone: 'America/Chicago' };
const DENVER = { pms_location_code: 'WEST', name: 'West', timezone: 'America/Denver' };

let server: MailServer;
let service: Service;
let company: Company;
/** Fails the write of what became of a mail, as if the process was killed before it. */
let isKilled = false;

function withKill({ records, ...rest }: Stores): Stores {
  const isOutcome = (write: DocumentWrite) =>
    write.kind === 'compare_and_set' &&
    write.collection === 'summary_subscriptions' &&
    JSON.stringify(write.document).includes('"sent"');
  const write: Stores['records']['write'] = (writes, options) => {
    if (isKilled && writes.some(isOutcome))
      throw new StoreUnavailableError('The test ends the process here.', true);
    return records.write(writes, options);
  };
  return { ...rest, records: withMembers(records, { write }) };
}

/** It is six in the evening of 31 December at the site MAIN. */
beforeEach(async () => {
  isKilled = false;
  server = await MailServer.start();
  service = await Service.start({
    wrap: withKill,
    environment: {
      SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      SMTP_FROM: 'access@example.com',
      PUBLIC_URL: 'https://access.example',
    },
  });
  company = await service.company(CHICAGO);
});
afterEach(async () => {
  await service.close();
  await server.close();
});

async function switchOn(of: Company = company) {
  return demand(200, await service.operator('put', `/session/summaries/${of.id}`));
}

/** Lets time pass, and then a round. No other round runs meanwhile. */
async function pass(milliseconds: number): Promise<void> {
  const rounds = service.part(SummaryRounds);
  await rounds.stop();
  service.manualClock.advance(milliseconds);
  rounds.start();
  await rounds.runRound();
}

function texts(): string[] {
  return server.mails.map(({ raw }) =>
    raw.split('\r\n\r\n').slice(1).join('\n\n').replace(/=\r\n/g, '').replace(/=3D/g, '='),
  );
}

async function last(): Promise<unknown> {
  return demand(200, await service.operator('get', '/session/summaries')).summaries[0]?.last;
}

test('A mail comes at seven of the site, once a day, to the address of the operator', async () => {
  demand(201, await company.moveIn('A-1', { move_in_date: '2025-12-01' }));
  demand(200, await company.patch('A-1', { balance_due: 50, paid_through_date: '2025-12-01' }));
  await switchOn();
  await pass(12 * HOUR + 58 * MINUTE);
  expect(server.mails).toEqual([]);
  await pass(2 * MINUTE);
  expect(server.mails).toMatchObject([{ from: 'access@example.com', to: ['ada@example.com'] }]);
  expect(texts()[0]).toContain('Locked out: 1 tenant, 1 unit, $50.00 owed');
  expect(texts()[0]).toContain('Park Storage, Thursday, January 1');
  expect(texts()[0]).toContain(`Today: https://access.example/dashboard?company_id=${company.id}`);
  await pass(23 * HOUR);
  expect(server.mails).toHaveLength(1);
  await pass(HOUR);
  expect(server.mails).toHaveLength(2);
  expect(await last()).toEqual({ date: '2026-01-02', outcome: 'sent' });
});

test('A mail names nobody', async () => {
  demand(201, await company.moveIn('A-1'));
  const person = {
    pms_tenant_id: 't-2',
    name: 'Grace Hopper',
    phone: '+13125550111',
    email: 'grace@example.com',
  };
  const path = `/locations/${company.locations.get('MAIN')}/tenants`;
  demand(201, await service.operator('post', path, person));
  demand(201, await company.moveIn('A-2', { pms_tenant_id: 't-2' }));
  demand(200, await company.patch('A-2', { pms_lockout: true }));
  await switchOn();
  await pass(13 * HOUR);
  expect(texts()[0]).toContain('Locked out: 1 tenant');
  expect(texts()[0]).not.toMatch(/Grace|Hopper|5550111|grace@/);
});

test('Nobody gets a mail unless it was switched on, and none after it was switched off', async () => {
  await pass(14 * HOUR);
  expect(server.mails).toEqual([]);
  await switchOn();
  demand(200, await service.operator('delete', `/session/summaries/${company.id}`));
  await pass(24 * HOUR);
  expect(server.mails).toEqual([]);
});

test('Switching on twice leaves one event and one mail a day', async () => {
  await switchOn();
  await switchOn();
  const { operator_id } = demand(200, await service.operator('get', '/session'));
  const events = await service.events(`operator-${operator_id}`);
  expect(events.filter(({ type }) => type === 'OperatorSummarySwitched').map(({ data }) => data)).toEqual([
    { company_id: company.id, on: true },
  ]);
  await pass(14 * HOUR);
  expect(server.mails).toHaveLength(1);
});

test('A mail that was sent by a process which ended before it knew is not sent again', async () => {
  await switchOn();
  isKilled = true;
  await expect(pass(13 * HOUR)).rejects.toThrow(StoreUnavailableError);
  expect(server.mails).toHaveLength(1);
  await service.restart();
  isKilled = false;
  await pass(HOUR);
  expect(server.mails).toHaveLength(1);
  expect(await last()).toEqual({ date: '2026-01-01', outcome: 'unknown' });
  await pass(24 * HOUR);
  expect(server.mails).toHaveLength(2);
});

test('A mail whose answer was lost is not sent again', async () => {
  await switchOn();
  server.isCut = true;
  await pass(13 * HOUR);
  server.isCut = false;
  await pass(4 * HOUR);
  expect(server.mails).toHaveLength(1);
  expect(await last()).toEqual({ date: '2026-01-01', outcome: 'unknown' });
});

test('Two processes that take themselves for the leader send one mail', async () => {
  await switchOn();
  const rounds = service.part(SummaryRounds);
  await rounds.stop();
  service.manualClock.advance(13 * HOUR);
  rounds.start();
  await Promise.all([rounds.runRound(), rounds.runRound()]);
  expect(server.mails).toHaveLength(1);
});

test('A mail server that is down for an hour delays the mail', async () => {
  await switchOn();
  await server.close();
  await pass(13 * HOUR);
  await pass(HOUR);
  expect(await last()).toBeNull();
  await server.open();
  await pass(30_000);
  expect(server.mails).toEqual([]);
  await pass(MINUTE);
  expect(server.mails).toHaveLength(1);
});

test('A mail server that is down until noon leaves out the day', async () => {
  await switchOn();
  await server.close();
  await pass(13 * HOUR);
  await pass(5 * HOUR);
  await server.open();
  await pass(HOUR);
  expect(server.mails).toEqual([]);
  await pass(18 * HOUR);
  expect(server.mails).toHaveLength(1);
});

test('A refused receiver gets no second try on that day, and others get their mails', async () => {
  const other = await service.company(CHICAGO);
  await switchOn();
  await switchOn(other);
  server.refusal = { step: 'recipient', code: 550 };
  await pass(13 * HOUR);
  server.refusal = undefined;
  await pass(2 * HOUR);
  expect(server.mails).toEqual([]);
  expect(await last()).toEqual({ date: '2026-01-01', outcome: 'refused' });
  await pass(24 * HOUR);
  expect(server.mails).toHaveLength(2);
});

test('A receiver who is put off gets the mail ten minutes later', async () => {
  await switchOn();
  server.refusal = { step: 'recipient', code: 451 };
  await pass(13 * HOUR);
  server.refusal = undefined;
  await pass(9 * MINUTE);
  expect(server.mails).toEqual([]);
  await pass(2 * MINUTE);
  expect(server.mails).toHaveLength(1);
});

describe('an operator of one of two sites', () => {
  const EMAIL = 'eve@example.com';
  const PASSWORD = 'another horse battery staple';
  let operator_id: string;
  let token: string;

  beforeEach(async () => {
    await company.addLocation(DENVER);
    const body = {
      email: EMAIL,
      password: PASSWORD,
      role: 'auditor',
      companies: [company.id],
      locations: [company.locations.get('WEST')!],
    };
    operator_id = await service.addOperator(body);
    const signedIn = await service.call('post', '/api/operator/sessions', {
      body: { email: EMAIL, password: PASSWORD },
    });
    token = demand(201, signedIn).token;
    demand(200, await service.call('put', `/api/operator/session/summaries/${company.id}`, { token }));
  });

  test('The mail comes at the morning of that site, and counts that site alone', async () => {
    demand(201, await company.moveIn('A-1', { pms_location_code: 'MAIN' }));
    demand(200, await company.patch('A-1', { pms_lockout: true }));
    demand(201, await company.moveIn('W-1', { pms_location_code: 'WEST', pms_tenant_id: 't-2' }));
    await pass(13 * HOUR + 30 * MINUTE);
    expect(server.mails).toEqual([]);
    await pass(30 * MINUTE);
    expect(server.mails).toMatchObject([{ to: [EMAIL] }]);
    expect(texts()[0]).toContain('Your site West');
    expect(texts()[0]).toContain('Locked out: nobody');
  });

  test('An operator who lost the site gets no mail', async () => {
    const path = `/operators/${operator_id}`;
    const other = await service.company(CHICAGO);
    demand(200, await service.operator('patch', path, { companies: [other.id], locations: null }));
    await pass(15 * HOUR);
    expect(server.mails).toEqual([]);
  });

  test('A disabled operator gets no mail', async () => {
    demand(200, await service.operator('patch', `/operators/${operator_id}`, { disabled: true }));
    await pass(15 * HOUR);
    expect(server.mails).toEqual([]);
  });

  test('A removed operator gets no mail, and no subscription stays', async () => {
    demand(200, await service.operator('delete', `/operators/${operator_id}`));
    await pass(15 * HOUR);
    expect(server.mails).toEqual([]);
    expect(await service.part(SummarySubscriptions).listOfOperator(operator_id)).toEqual([]);
  });
});

test('A sandbox has no mails', async () => {
  const sandbox = await service.sandbox();
  const answer = await service.operator('put', `/session/summaries/${sandbox.id}`);
  expect(answer).toMatchObject({ status: 409, body: { code: 'sandbox_without_mail' } });
});

test('A store that was copied sends no mails until they are switched on again', async () => {
  await switchOn();
  expect(await switchOffSummaries(service.stores.records)).toBe(1);
  await pass(14 * HOUR);
  expect(server.mails).toEqual([]);
  await switchOn();
  await pass(24 * HOUR);
  expect(server.mails).toHaveLength(1);
});

test('Mails are counted by what became of them', async () => {
  await switchOn();
  await pass(14 * HOUR);
  const { text } = await service.call('get', '/metrics');
  const counted = text.split('\n').filter((line) => line.startsWith('storage_access_summaries_total'));
  expect(counted).toContain('storage_access_summaries_total{outcome="sent"} 1');
  expect(counted).toContain('storage_access_summaries_total{outcome="refused"} 0');
});
