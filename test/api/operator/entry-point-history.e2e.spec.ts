import { ManualClock } from '../../support/manual-clock.js';
import { newPhone } from '../../support/new-phone.js';
import { type Company, demand, Service } from '../../support/service.js';

const HOUR = 3_600_000;

let service: Service;
let company: Company;
let location_id: string;
let zone_id: string;
let gate: string;
let unit_id: string;
let tenant: string;

const operator = (...parameters: Parameters<Service['operator']>) => service.operator(...parameters);
const instant = () => new Date(service.manualClock.now()).toISOString();
const inHours = (hours: number) => new Date(service.manualClock.now() + hours * HOUR).toISOString();
const history = async (query = '') =>
  demand(200, await operator('get', `/entry-points/${gate}/history${query}`));
const asOf = async (at: string) =>
  demand(200, await operator('get', `/entry-points/${gate}/as-of?at=${encodeURIComponent(at)}`));
const types = (entries: readonly { type: string }[]) => entries.map(({ type }) => type);
const pass = async (rest: object = {}) =>
  demand(
    201,
    await operator('post', `/locations/${location_id}/passes`, {
      name: 'Lakeside Pest Control',
      phone: newPhone(),
      entry_point_ids: [gate],
      until: inHours(2),
      reason: 'vendor',
      ...rest,
    }),
  );
/** Some time later, so that each event has an instant of its own. */
const wait = (hours = 1) => service.manualClock.advance(hours * HOUR);

beforeAll(async () => {
  service = await Service.start({ clock: new ManualClock(Date.parse('2026-03-02T15:00:00.000Z')) });
});
afterAll(() => service.close());
beforeEach(async () => {
  company = await service.company();
  location_id = company.locations.get('MAIN')!;
  ({ zone_id } = demand(201, await operator('post', `/locations/${location_id}/zones`, { name: 'A' })));
  ({ unit_id } = demand(201, await company.moveIn('A-1')));
  demand(200, await company.patch('A-1', { paid_through_date: '2026-12-31' }));
  demand(200, await operator('put', `/zones/${zone_id}/units/${unit_id}`));
  wait();
  const north = { name: 'North gate', kind: 'gate', zone_ids: [zone_id] };
  gate = demand(201, await operator('post', `/locations/${location_id}/entry-points`, north))
    .entry_point_id as string;
  tenant = demand(200, await operator('get', `/units/${unit_id}`)).tenant.tenant_id as string;
});

describe('the history of an entry point', () => {
  it('tells its own events and those of its passes in their order', async () => {
    wait();
    const { pass_id } = await pass();
    wait();
    demand(200, await operator('patch', `/entry-points/${gate}`, { in_service: false }));
    wait();
    const { entries, next_cursor } = await history();
    expect(entries).toMatchObject([
      { type: 'EntryPointAdded', changes: { name: { from: null, to: 'North gate' } } },
      { type: 'PassIssued', pass_id, revision: null, changes: { opened_by: { from: null, to: pass_id } } },
      { type: 'EntryPointChanged', changes: { in_service: { from: true, to: false } } },
      { type: 'PassEnded', pass_id, cause: { kind: 'calendar' } },
    ]);
    expect(next_cursor).toBeNull();
    expect(entries[0].actor).toMatchObject({ kind: 'operator' });
  });

  it('is the same in pages, in both orders', async () => {
    wait();
    await pass({ until: inHours(1) });
    wait(2);
    demand(200, await operator('patch', `/entry-points/${gate}`, { name: 'South gate' }));
    const whole = types((await history()).entries);
    expect(whole).toEqual(['EntryPointAdded', 'PassIssued', 'PassEnded', 'EntryPointChanged']);
    for (const [order, expected] of [
      ['asc', whole],
      ['desc', whole.toReversed()],
    ] as const) {
      const read: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const query = `?limit=1&order=${order}${cursor === '' ? '' : `&cursor=${cursor}`}`;
        const page = await history(query);
        read.push(...types(page.entries));
        cursor = page.next_cursor as string | null;
      }
      expect(read).toEqual(expected);
    }
  });

  it('is narrowed by instants', async () => {
    wait();
    const from = instant();
    demand(200, await operator('patch', `/entry-points/${gate}`, { name: 'South gate' }));
    expect(types((await history(`?from=${from}`)).entries)).toEqual(['EntryPointChanged']);
    expect(types((await history(`?to=${from}`)).entries)).toContain('EntryPointAdded');
  });

  it('stays after its removal', async () => {
    demand(200, await operator('patch', `/entry-points/${gate}`, { zone_ids: [] }));
    demand(200, await operator('delete', `/entry-points/${gate}`));
    expect(types((await history()).entries).at(-1)).toBe('EntryPointRemoved');
  });
});

describe('an entry point at an instant', () => {
  it('was opened by tenants, shares and passes of then', async () => {
    const body = { name: 'Daniel Brooks', phone: newPhone(), until: inHours(3) };
    const guest = demand(201, await operator('post', `/units/${unit_id}/shares`, body)).tenant_id as string;
    const { pass_id, tenant_id: holder } = await pass();
    wait();
    const then = instant();
    wait(24);
    demand(200, await company.moveOut('A-1'));
    expect(await asOf(then)).toMatchObject({
      at: then,
      name: 'North gate',
      in_service: true,
      people: [
        { kind: 'pass', pass_id, tenant_id: holder, name: 'Lakeside Pest Control', opens: true },
        { kind: 'tenant', tenant_id: tenant, unit_id, unit_name: 'A-1', opens: true, denial: null },
        { kind: 'share', tenant_id: guest, name: 'Daniel Brooks', unit_id, opens: true, until: body.until },
      ],
      next_cursor: null,
    });
    expect((await asOf(instant())).people).toEqual([]);
  });

  it('did not open for those whose unit was denied then', async () => {
    const override = { override: 'lockout', reason: 'check' };
    demand(200, await operator('put', `/units/${unit_id}/override`, override));
    const then = instant();
    wait();
    demand(200, await operator('delete', `/units/${unit_id}/override`));
    wait();
    const access = { state: 'tenant_denied', reason: 'system_lockout' };
    expect((await asOf(then)).people).toMatchObject([{ opens: false, denial: 'units_denied', access }]);
    expect((await asOf(instant())).people).toMatchObject([{ opens: true }]);
  });

  it('did not open for units that came into its zones later', async () => {
    const then = instant();
    wait();
    const other = demand(201, await company.moveIn('B-1', { pms_tenant_id: 't-2' }));
    demand(200, await operator('put', `/zones/${zone_id}/units/${other.unit_id as string}`));
    expect((await asOf(then)).people).toHaveLength(1);
    expect((await asOf(instant())).people).toHaveLength(2);
  });

  it('is not found before the location had it', async () => {
    const before = new Date(service.manualClock.now() - 2 * HOUR).toISOString();
    const answer = await operator('get', `/entry-points/${gate}/as-of?at=${before}`);
    expect([answer.status, answer.body.code]).toEqual([404, 'entry_point_not_found']);
    expect(answer.body.hint).toContain('at that instant');
  });

  it('needs an instant, and a cursor of its list', async () => {
    const fields = async (query: string) =>
      Object.keys((await operator('get', `/entry-points/${gate}/as-of${query}`)).body.errors as object);
    expect(await fields('')).toEqual(['at']);
    expect(await fields(`?at=${instant()}&cursor=x`)).toEqual(['cursor']);
  });
});
