import type { DocumentWrite } from '#eventsourcing/documents/document-store.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { NoticeRecords } from '#domain/notices/index.js';
import type { NoticeTenant } from '#domain/notices/notice-tenants.js';
import { demand, Service, type Stores } from '../../support/service.js';
import { waitUntil } from '../../support/wait-until.js';
import { withMembers } from '../../support/with-members.js';
import { HOUR, MINUTE, ToldTenants } from './support/told-tenants.js';

const STEPS = ['intent', 'outcome', 'event', 'record', 'end'] as const;
type Step = (typeof STEPS)[number];
type Side = 'before' | 'after';

/** What the service cannot do any more, as if it was killed before it, or before it had the answer. */
let killed: { readonly step: Step; readonly side: Side } | undefined;
let met = 0;

function meet(step: Step | undefined, side: Side): void {
  if (step === undefined || killed?.step !== step || killed.side !== side) return;
  met += 1;
  throw new StoreUnavailableError('The test ends the process here.', true);
}

function stepOf(writes: readonly DocumentWrite[]): Step | undefined {
  for (const write of writes) {
    if (write.collection === 'notices') return 'record';
    if (write.collection !== 'notice_tenants' || write.kind !== 'compare_and_set') continue;
    const { sending, units, look_at } = write.document as NoticeTenant & { readonly _id: string };
    if (sending !== null) return sending.outcome === null ? 'intent' : 'outcome';
    if (units.some(({ knows }) => knows === 'closed') && look_at === 0) return 'end';
  }
  return undefined;
}

function withKillPoints({ eventStore, records, ...rest }: Stores): Stores {
  return {
    ...rest,
    eventStore: withMembers(eventStore, {
      append: async (appends) => {
        const isEvent = appends.some(({ events }) => events.some(({ type }) => type === 'TenantNotified'));
        meet(isEvent ? 'event' : undefined, 'before');
        const outcomes = await eventStore.append(appends);
        meet(isEvent ? 'event' : undefined, 'after');
        return outcomes;
      },
    }),
    records: withMembers(records, {
      write: async (writes, options) => {
        meet(stepOf(writes), 'before');
        const outcomes = await records.write(writes, options);
        meet(stepOf(writes), 'after');
        return outcomes;
      },
    }),
  };
}

let service: Service;
let told: ToldTenants;

beforeEach(async () => {
  [killed, met] = [undefined, 0];
  service = await Service.start({ wrap: withKillPoints });
  told = await ToldTenants.start(service);
});
afterEach(() => service.close());

async function untilMet(): Promise<void> {
  await waitUntil(() => {
    service.manualClock.advance(250);
    return met > 0;
  });
}

/** A text whose intent was stored and whose outcome was not may have been sent. */
const cases = STEPS.flatMap((step) =>
  (['before', 'after'] as const).map((side) => {
    const isUnknown = (step === 'intent' && side === 'after') || (step === 'outcome' && side === 'before');
    const texts = step === 'intent' && side === 'after' ? 0 : 1;
    return { step, side, outcome: isUnknown ? 'unknown' : 'sent', texts };
  }),
);

test.each(cases)(
  'A process that ends $side the $step tells at most once, and records it once as $outcome',
  async ({ step, side, outcome, texts }) => {
    const tenant_id = await told.addTenant('t-1', '+13125550111');
    demand(201, await told.company.moveIn('A-1'));
    await told.pass(MINUTE);
    await told.switchOn({ closed: true });
    demand(200, await told.company.patch('A-1', { pms_lockout: true }));
    await told.pass(MINUTE);
    killed = { step, side };
    service.manualClock.advance(15 * MINUTE);
    await untilMet();
    killed = undefined;
    await service.restart();
    await told.pass(HOUR);
    expect(await told.bodies()).toEqual(Array(texts).fill('Main St: unit A-1 is closed.'));
    expect(await told.events(tenant_id)).toEqual([{ kind: 'closed', outcome }]);
    const { documents } = await service.part(NoticeRecords).listOfTenant(tenant_id, 10);
    expect(documents).toMatchObject([{ kind: 'closed', outcome }]);
  },
);
