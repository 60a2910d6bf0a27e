import { emptyCollection } from '#eventsourcing/documents/empty-collection.js';
import { Announcer } from '#domain/announcements/index.js';
import { EventFeed } from '#domain/history/feed/event-feed.js';
import { StaffEvents } from '#domain/history/feed/staff-events.js';
import { StaffKinds } from '#domain/history/feed/staff-kinds.js';
import { StaffLog } from '#domain/history/feed/staff-log.js';
import { StaffGathering } from '#domain/history/index.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import { silentLogger } from '#kernel/logger.js';
import { type Company, demand, Service, type Stores } from '../../support/service.js';
import { withMembers } from '../../support/with-members.js';
import { waitUntil } from '../../support/wait-until.js';

let service: Service;
let company: Company;
let other: Company;
/** Called before each write of the progress. */
let beforeProgress: (() => Promise<void>) | undefined;

const EVENTS = { name: 'staff_events', indexes: {} };
const PROGRESS = { name: 'staff_events_progress', indexes: {} };

function hooked(stores: Stores): Stores {
  const write: Stores['views']['write'] = async (writes) => {
    if (writes.some(({ collection }) => collection === PROGRESS.name)) await beforeProgress?.();
    return stores.views.write(writes);
  };
  return { ...stores, views: withMembers(stores.views, { write }) };
}

beforeEach(async () => {
  beforeProgress = undefined;
  service = await Service.start({ wrap: hooked });
  company = await service.company();
  other = await service.company();
});
afterEach(() => service.close());

const zone = async (of: Company, name: string) =>
  demand(201, await service.operator('post', `/locations/${of.locations.get('MAIN')}/zones`, { name }));

/** Rows of a PMS, between what staff did. */
const push = async (count: number, balance_due = 0) => {
  const units = Array.from({ length: count }, (_, index) => ({
    crm_unit_id: `A-${index}`,
    occupied: true,
    move_in_date: '2025-10-01',
    pms_tenant_id: `T-${index}`,
    balance_due,
  }));
  demand(200, await company.sync(units));
};

const page = async (of: Company, query = 'limit=100') =>
  demand(200, await service.operator('get', `/companies/${of.id}/changes?actor=operator&${query}`));

async function pages(of: Company, query = ''): Promise<unknown[]> {
  const events: unknown[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const read = await page(of, `limit=2${query}${cursor && `&cursor=${cursor}`}`);
    events.push(...(read.events as unknown[]));
    cursor = read.next_cursor;
  }
  return events;
}

interface Progress {
  readonly _id: string;
  readonly position: string | null;
  readonly last: { readonly id: string; readonly revision: number; readonly position: string } | null;
}

async function progress(): Promise<Progress | undefined> {
  const found = await (await service.stores.views.collection(PROGRESS)).get('gathered');
  return found as Progress | undefined;
}

const put = (collection: string, document: Progress | { readonly _id: string }) =>
  service.stores.views.write([{ kind: 'put', collection, document }]);

const gathered = async () =>
  (await (await service.stores.views.collection(EVENTS)).page(undefined, 1_000)) as {
    readonly _id: string;
    readonly company_id: string;
  }[];

/** Lets the leading process gather all that is in the log. */
async function gather(): Promise<void> {
  const head = (await service.events()).at(-1)!.position;
  await waitUntil(async () => {
    service.manualClock.advance(1_000);
    return BigInt((await progress())?.position ?? 0) >= head;
  });
}

/** An event of staff that the log does not hold, as a log that was lost leaves it. */
async function leaveLostEvent(): Promise<void> {
  const [one] = await gathered();
  const position = '0'.repeat(20);
  const lost = { ...one!, _id: `${company.id} lost`, company_id: company.id, position };
  await put(EVENTS.name, lost);
}

async function rebuild(): Promise<void> {
  demand(202, await service.operator('post', '/views/rebuild'));
  await waitUntil(async () => {
    service.manualClock.advance(1_000);
    return demand(200, await service.operator('get', '/views/rebuild')).state === 'done';
  });
}

/** Leads with a view of the stores until something holds. */
async function lead(views: DocumentStore, until: () => Promise<boolean>): Promise<void> {
  const { eventStore } = service.stores;
  const [feed, damaged] = [service.part(EventFeed), service.part(DamagedStreams)];
  const events = new StaffEvents(views, service.clock);
  const kinds = service.part(StaffKinds);
  const leader = new StaffGathering(eventStore, service.clock, silentLogger, events, feed, damaged, kinds);
  const head = (await service.wholeLog()).at(-1)!.position;
  leader.start(() => head);
  await waitUntil(() => {
    service.manualClock.advance(1_000);
    return until();
  });
  await leader.stop();
}

/** How many events the page reads from the log. */
async function eventsRead(read: () => Promise<unknown>): Promise<number> {
  const reads = jest.spyOn(service.stores.eventStore, 'readAll');
  await read();
  // What runs beside requests reads forwards.
  const byPage = reads.mock.results.filter((_, index) => reads.mock.calls[index]![0].backwards === true);
  const results = await Promise.all(byPage.map(({ value }) => value as Promise<unknown[]>));
  reads.mockRestore();
  return results.reduce((sum, events) => sum + events.length, 0);
}

describe('what staff did, gathered from the log', () => {
  it.each([
    ['all', ''],
    ['a kind', '&type=ZoneAdded'],
    ['a time', '&from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z'],
  ])('is page by page what the log says: %s', async (_, query) => {
    for (const name of ['North', 'South', 'West']) {
      await zone(company, name);
      await push(10, name.length);
      await zone(other, `Not ${name}`);
    }
    const [own, others] = [await pages(company, query), await pages(other, query)];
    await gather();
    expect(own.length).toBeGreaterThanOrEqual(3);
    expect([await pages(company, query), await pages(other, query)]).toEqual([own, others]);
  });

  it('is read without the events of a PMS before it', async () => {
    await zone(company, 'North');
    for (let round = 1; round <= 6; round += 1) await push(500, round);
    await gather();
    expect(await eventsRead(() => page(company))).toBeLessThanOrEqual(1_000);
    const { events, next_cursor } = await page(company);
    expect([events[0].data.name, next_cursor]).toEqual(['North', null]);
  });

  it('is read no further in the log than one event beyond the page', async () => {
    // What it announces after `gather` would lie before the page.
    await service.part(Announcer).stop();
    for (const name of ['North', 'South', 'West']) await zone(company, name);
    await push(100);
    await gather();
    expect(await eventsRead(() => page(company, 'limit=2'))).toBeLessThanOrEqual(3);
    expect((await page(company, 'limit=2')).events).toHaveLength(2);
  });

  it('has what was done since, too', async () => {
    await zone(company, 'North');
    await gather();
    await zone(company, 'South');
    await push(10);
    const { events } = await page(company);
    expect(events.slice(0, 2).map(({ data }: { data: { name: string } }) => data.name)).toEqual([
      'South',
      'North',
    ]);
  });

  it('tells that it looked back to the beginning of the company', async () => {
    await gather();
    const { created_at } = demand(200, await service.operator('get', `/companies/${company.id}`));
    expect((await page(company, 'type=ZoneRemoved')).since).toBe(created_at);
  });

  it('is gathered again on new views', async () => {
    await zone(company, 'North');
    await gather();
    await service.restart({ keepViews: false });
    const told = await pages(company);
    await gather();
    expect(await pages(company)).toEqual(told);
  });

  it('is gathered again where the log is shorter than it was', async () => {
    await zone(company, 'North');
    await gather();
    const told = await pages(company);
    await leaveLostEvent();
    const known = (await progress())!;
    const position = '99999999';
    await put(PROGRESS.name, { ...known, position, last: { ...known.last!, revision: 9_999, position } });
    await service.restart();
    await waitUntil(async () => {
      service.manualClock.advance(1_000);
      return (await progress())?.position !== position;
    });
    await gather();
    expect(await pages(company)).toEqual(told);
  });

  it('gathers what follows where the log has lost only events of other applications', async () => {
    await zone(company, 'North');
    await gather();
    const position = '99999999';
    await put(PROGRESS.name, { ...(await progress())!, position });
    await service.restart();
    await zone(company, 'South');
    const told = await service.events();
    await waitUntil(async () => {
      service.manualClock.advance(1_000);
      return (await progress())?.last?.id === told.at(-1)!.id;
    });
    const { events } = await page(company);
    expect(events.slice(0, 2).map(({ data }: { data: { name: string } }) => data.name)).toEqual([
      'South',
      'North',
    ]);
  });

  it('is gathered again where the log holds another event at the last position', async () => {
    await zone(company, 'North');
    await gather();
    const told = await pages(company);
    await leaveLostEvent();
    const known = (await progress())!;
    await put(PROGRESS.name, { ...known, last: { ...known.last!, id: 'lost' } });
    await service.restart();
    await waitUntil(async () => {
      service.manualClock.advance(1_000);
      return (await progress())?.last?.id === known.last!.id;
    });
    expect(await pages(company)).toEqual(told);
  });

  it('holds no event of a lost log where the progress is lost as well', async () => {
    await zone(company, 'North');
    await gather();
    const told = await pages(company);
    await leaveLostEvent();
    await service.stores.views.write([{ kind: 'delete', collection: PROGRESS.name, id: 'gathered' }]);
    await service.restart();
    await gather();
    expect(await pages(company)).toEqual(told);
  });

  it('is gathered again by a rebuild of the views', async () => {
    for (const name of ['North', 'South', 'West']) await zone(company, name);
    await gather();
    const told = await pages(company);
    await emptyCollection(service.stores.views, EVENTS);
    await rebuild();
    await gather();
    expect(await gathered()).not.toEqual([]);
    expect(await pages(company)).toEqual(told);
  });

  it('has ids that begin with the company', async () => {
    await zone(company, 'North');
    await zone(other, 'South');
    await gather();
    const events = await gathered();
    expect(new Set(events.map(({ company_id }) => company_id))).toEqual(new Set([company.id, other.id]));
    for (const { _id, company_id } of events) expect(_id).toMatch(new RegExp(`^${company_id} \\d{20}$`));
  });

  it('keeps its events where it is forgotten until it is gathered again', async () => {
    await zone(company, 'North');
    await gather();
    const before = await gathered();
    const told = await pages(company);
    await service.part(StaffGathering).stop();
    await service.part(StaffGathering).forget();
    expect([await gathered(), await pages(company)]).toEqual([before, told]);
  });

  it('is whole where another process gathers it anew while this one still removes what was forgotten', async () => {
    for (const name of ['North', 'South', 'West']) await zone(company, name);
    await gather();
    const told = await pages(company);
    await service.part(StaffGathering).stop();
    await service.part(StaffGathering).forget();
    let removals = 0;
    const slow = withMembers(service.stores.views, {
      async write(writes) {
        const isRemoval = writes.some((one) => one.collection === EVENTS.name && one.kind === 'delete');
        if (removals > 0 && !isRemoval) throw new Error('This process has ended.');
        removals += isRemoval ? 1 : 0;
        if (removals === 1)
          await lead(service.stores.views, async () => (await progress())?.position !== null);
        return service.stores.views.write(writes);
      },
    });
    await lead(slow, () => Promise.resolve(removals > 0));
    expect(await pages(company)).toEqual(told);
  });

  it('is whole on a page that is read while it is emptied', async () => {
    await zone(company, 'North');
    await gather();
    const told = await pages(company);
    const older = await service.part(StaffLog).readBackwards(company.id);
    const { position } = (await progress())!;
    await service.part(StaffGathering).stop();
    await service.part(StaffGathering).forget();
    await emptyCollection(service.stores.views, EVENTS);
    const { events } = await older(BigInt(position!) + 1n, 100);
    expect(events.filter(({ type }) => type === 'ZoneAdded')).toHaveLength(1);
    expect(await pages(company)).toEqual(told);
  });

  it('is whole where it is forgotten while it is gathered', async () => {
    await zone(company, 'North');
    const told = await pages(company);
    beforeProgress = () => {
      beforeProgress = undefined;
      return service.part(StaffGathering).forget();
    };
    await gather();
    expect(await pages(company)).toEqual(told);
  });
});
