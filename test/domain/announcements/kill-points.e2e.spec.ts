import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import type { DocumentWrite } from '#eventsourcing/documents/document-store.js';
import type { Parsed } from '../../support/http-client.js';
import { type Company, demand, Service, type Stores } from '../../support/service.js';
import { waitUntil } from '../../support/wait-until.js';
import { withMembers } from '../../support/with-members.js';

/** What the service cannot do any more, as if it was killed there. */
type KillPoint =
  'append' | 'answer of the append' | 'announced' | 'announcement_looks' | 'announcement_progress';

let killed: KillPoint | undefined;
let met = 0;

function die(): never {
  met += 1;
  throw new StoreUnavailableError('The test ends the process here.', true);
}

function withKillPoints({ eventStore, views, ...rest }: Stores): Stores {
  const isAccess = (stream: string) => stream.startsWith('access-');
  return {
    ...rest,
    eventStore: withMembers(eventStore, {
      append: async (appends) => {
        const ofAccess = appends.some(({ stream }) => isAccess(stream));
        if (killed === 'append' && ofAccess) die();
        const outcomes = await eventStore.append(appends);
        if (killed === 'answer of the append' && ofAccess) die();
        return outcomes;
      },
    }),
    views: withMembers(views, {
      write: async (writes, options) => {
        const collections = new Set(writes.map((one: DocumentWrite) => one.collection as KillPoint));
        if (killed !== undefined && collections.has(killed)) die();
        return views.write(writes, options);
      },
    }),
  };
}

let service: Service;
let company: Company;

beforeEach(async () => {
  [killed, met] = [undefined, 0];
  service = await Service.start({ wrap: withKillPoints });
  company = await service.company({ pms_location_code: 'MAIN', grace_period_days: 5 });
});
afterEach(() => service.close());

async function announced(): Promise<Parsed[]> {
  return demand(200, await company.push('get', '/events?types=AccessChanged&limit=500')).events;
}

async function untilAnnounced(count: number): Promise<Parsed[]> {
  return waitUntil(
    async () => {
      service.manualClock.advance(250);
      return announced();
    },
    ({ length }) => length >= count,
  );
}

test.each<KillPoint>([
  'append',
  'answer of the append',
  'announced',
  'announcement_looks',
  'announcement_progress',
])('A process that ends at %s announces a write and the calendar once', async (point) => {
  await company.moveIn('A-1');
  await untilAnnounced(1);
  killed = point;
  // It locks at once, and the boundary of the other unit is planned.
  await company.patch('A-1', { pms_lockout: true });
  await company.moveIn('B-1', { pms_tenant_id: 't-2' });
  await company.patch('B-1', { balance_due: 50, paid_through_date: '2025-12-31' });
  await waitUntil(() => {
    service.manualClock.advance(250);
    return met > 0;
  });
  killed = undefined;
  await service.restart();
  const entries = await untilAnnounced(3);
  service.manualClock.advance(6 * 24 * 3_600_000);
  const all = await untilAnnounced(4);
  // Whoever told something twice would have done so by now.
  await company.moveIn('C-1', { pms_tenant_id: 't-3' });
  const [, , , , last, ...more] = await untilAnnounced(5);
  expect([last.subject.crm_unit_id, more]).toEqual(['C-1', []]);
  expect(entries.map(({ subject }) => subject.crm_unit_id).sort()).toEqual(['A-1', 'A-1', 'B-1']);
  expect(all[3]).toMatchObject({
    subject: { crm_unit_id: 'B-1' },
    data: { from: { reason: 'active' }, to: { reason: 'delinquent' }, cause: { kind: 'calendar' } },
  });
});
