import type { StorageAccessClient } from 'storage-access-client';
import { FED_FIELDS } from '#domain/history/feed/fed-fields.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { PositionLostError } from '#eventsourcing/log/event-store.errors.js';
import { UnitDirectory } from '#domain/units/index.js';
import { type Company, demand, Service } from '../../support/service.js';
import { type OnSharedLog, startOnSharedLog } from '../../support/shared-log.js';

type FeedQuery = Parameters<StorageAccessClient['eventPages']>[0];

let service: Service;
let company: Company;

beforeAll(async () => {
  service = await Service.start();
});
afterAll(() => service.close());
beforeEach(async () => {
  company = await service.company();
});

interface Fed {
  readonly id: string;
  readonly type: string;
  readonly subject: Readonly<Record<string, string>>;
  readonly data: Readonly<Record<string, unknown>>;
}

async function page(query: string): Promise<{ events: Fed[]; next_after: string | null }> {
  return demand(200, await company.push('get', `/events?${query}`));
}

/** All that follows, page after page. */
async function follow(
  after: string | null,
  query: FeedQuery = {},
): Promise<{ events: Fed[]; at: string | null }> {
  const events: Fed[] = [];
  let at = after;
  const from = after === null ? {} : { after };
  for await (const page of company.client.eventPages({ ...query, ...from })) {
    events.push(...(page.events as Fed[]));
    for (const { type, data } of events)
      expect(FED_FIELDS[type as keyof typeof FED_FIELDS]).toEqual(expect.arrayContaining(Object.keys(data)));
    at = page.next_after;
  }
  return { events, at };
}

function expectUnknownPosition({ status, body }: Awaited<ReturnType<Company['push']>>): void {
  expect([status, body]).toEqual([
    422,
    {
      message: 'Validation failed.',
      code: 'position_unknown',
      hint: expect.stringMatching(/units\/compare.*after=latest/),
      errors: { after: ['The after field is a position that the log does not hold.'] },
      details: [{ field: 'after', code: 'position_unknown', message: expect.any(String) }],
    },
  ]);
}

describe('the feed of events', () => {
  it('tells each of the company’s own events once and in order, whatever the size of the pages', async () => {
    const other = await service.company();
    await company.moveIn('A-1');
    await other.moveIn('A-1');
    const owing = { balance_due: 50.25, paid_through_date: '2025-12-31' };
    const patched = await company.patch('A-1', owing);
    await service.operator('patch', `/locations/${company.locations.get('MAIN')}`, {
      balance_threshold: 1.5,
    });
    const { events, at } = await follow(null, { limit: 1 });
    expect(events).toEqual((await follow(null, { limit: 500 })).events);
    expect(events.map(({ type }) => type)).toEqual([
      'LocationOpened',
      'UnitRegistered',
      'TenantMovedIn',
      'UnitFactsChanged',
      'LocationPolicyChanged',
    ]);
    const { unit_id } = await company.unit('A-1');
    const location_id = company.locations.get('MAIN')!;
    expect(events[3]).toEqual({
      id: expect.stringMatching(/^\d+$/),
      type: 'UnitFactsChanged',
      occurred_at: new Date(service.clock.now()).toISOString(),
      subject: { kind: 'unit', unit_id, crm_unit_id: 'A-1', location_id },
      revision: 2,
      actor: { kind: 'api_token', id: expect.any(String), name: 'PMS' },
      command_id: expect.any(String),
      request_id: patched.headers['x-request-id'],
      data: owing,
    });
    expect(events[4]).toMatchObject({
      subject: { kind: 'location', location_id },
      actor: { kind: 'operator', name: null },
      data: { policy: { balance_threshold: 1.5 } },
    });
    expect(JSON.stringify(events)).not.toContain(other.id);
    await company.moveOut('A-1');
    expect((await follow(at)).events.map(({ type }) => type)).toEqual(['TenantMovedOut']);
  });

  it('stands where it is while there is nothing new, and tells only the types that are asked for', async () => {
    await company.moveIn('A-1');
    const { at } = await follow(null);
    expect(await page(`after=${at}`)).toEqual({ events: [], next_after: at });
    const { events } = await follow(null, { types: 'TenantMovedIn,UnitRetired' });
    expect(events.map(({ type }) => type)).toEqual(['TenantMovedIn']);
  });

  it('tells nothing of credentials, operators or persons', async () => {
    const tenant = { pms_tenant_id: 't-1', first_name: 'Zelda', last_name: 'Quill', phone: '+13125550100' };
    await company.sync([{ crm_unit_id: 'A-1', occupied: true, tenant, move_in_date: '2025-12-01' }]);
    const changed = { ...tenant, first_name: 'Zora' };
    await company.sync([{ crm_unit_id: 'A-1', occupied: true, tenant: changed, move_in_date: '2025-12-01' }]);
    const { events } = await follow(null);
    expect(events.map(({ type }) => type)).toContain('TenantDetailsChanged');
    expect(JSON.stringify(events)).not.toMatch(/Zelda|Zora|Quill|3125550100|@|ApiToken|Operator/);
  });

  it('ends before what the views do not show yet, and tells it on the next page as it is', async () => {
    await company.moveIn('A-1');
    const { at } = await follow(null);
    await company.moveIn('A-2');
    const whole = await page(`after=${at}`);
    expect(whole.events.map(({ type }) => type)).toEqual(['UnitRegistered', 'TenantMovedIn']);
    const hidden = jest
      .spyOn(service.part(UnitDirectory), 'byStreams')
      .mockImplementationOnce((streams) => Promise.resolve(streams.map(() => undefined)));
    expect(await page(`after=${at}`)).toEqual({ events: [], next_after: at });
    hidden.mockRestore();
    expect(await page(`after=${at}`)).toEqual(whole);
  });

  it('passes no event of a location while the views do not show the location yet', async () => {
    await company.moveIn('A-1');
    const { at } = await follow(null);
    const path = `/locations/${company.locations.get('MAIN')}`;
    await company.patch('A-1', { balance_due: 5 });
    demand(200, await service.operator('patch', path, { balance_threshold: 1.5 }));
    const hidden = jest.spyOn(service.part(LocationDirectory), 'location').mockResolvedValueOnce(undefined);
    const first = await page(`after=${at}`);
    expect(first.events.map(({ type }) => type)).toEqual(['UnitFactsChanged']);
    hidden.mockRestore();
    expect((await follow(first.next_after)).events.map(({ type }) => type)).toEqual([
      'LocationPolicyChanged',
    ]);
  });

  it('refuses a position that the log does not hold', async () => {
    const lost = jest
      .spyOn(service.stores.eventStore, 'readAll')
      .mockRejectedValueOnce(new PositionLostError(7n));
    const answer = await company.push('get', '/events?after=7');
    lost.mockRestore();
    expectUnknownPosition(answer);
  });

  it('refuses a position that the log has not reached: what is written until then would never be told', async () => {
    await company.moveIn('A-1');
    const { at } = await follow(null);
    const answer = await company.push('get', `/events?after=${BigInt(at!) + 1n}`);
    expectUnknownPosition(answer);
  });

  it('begins at the present end with after=latest', async () => {
    await company.moveIn('A-1');
    const end = await page('after=latest&types=TenantMovedIn&limit=1');
    expect(end).toEqual({ events: [], next_after: (await follow(null)).at });
    await company.moveIn('A-2');
    expect((await follow(end.next_after)).events.map(({ type }) => type)).toEqual([
      'UnitRegistered',
      'TenantMovedIn',
    ]);
  });

  it('gives a client that begins at the end the position to store', async () => {
    await company.moveIn('A-1');
    const { events, at } = await follow('latest');
    expect([events, at]).toEqual([[], (await follow(null)).at]);
  });

  describe('of a log that others use as well', () => {
    let shared: OnSharedLog;

    beforeAll(async () => {
      shared = await startOnSharedLog();
    });
    afterAll(() => shared.service.close());
    beforeEach(async () => {
      company = await shared.service.company();
    });

    it('stands behind the newest event, whosoever it is, while there is nothing new', async () => {
      await company.moveIn('A-1');
      for (let number = 0; number < 9; number += 1) await shared.storeForeign(1);
      const { events, at } = await follow(null);
      expect(events.map(({ type }) => type)).toContain('TenantMovedIn');
      expect(at).toBe(String(await shared.log.head()));
      expect(await page(`after=${at}`)).toEqual({ events: [], next_after: at });
      expect(await follow(at)).toEqual({ events: [], at });
      await company.moveIn('A-2');
      expect((await follow(at)).events.map(({ type }) => type)).toEqual(['UnitRegistered', 'TenantMovedIn']);
    });

    it('refuses a position that not even the events of others have reached', async () => {
      await company.moveIn('A-1');
      await shared.storeForeign(1);
      const beyond = (await shared.log.head())! + 1n;
      const answer = await company.push('get', `/events?after=${beyond}`);
      expectUnknownPosition(answer);
    });
  });

  it.each([
    ['after=x', 'after'],
    ['after=latest1', 'after'],
    ['types=TenantMovedIn,Nonsense', 'types'],
    ['limit=501', 'limit'],
  ])('refuses %s', async (query, field) => {
    const answer = await company.push('get', `/events?${query}`);
    expect([answer.status, Object.keys(answer.body.errors as object)]).toEqual([422, [field]]);
  });
});
