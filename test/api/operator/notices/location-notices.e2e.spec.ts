import { type Company, demand, Service } from '../../../support/service.js';

const OFF = { welcome: false, closes_in_days: null, closed: false, opened: false };

let service: Service;
let company: Company;
let location_id: string;

beforeAll(async () => {
  service = await Service.start();
});
afterAll(() => service.close());
beforeEach(async () => {
  company = await service.company();
  location_id = company.locations.get('MAIN')!;
});

const change = (body: object, query = '') =>
  service.operator('patch', `/locations/${location_id}${query}`, body);
const noticesOf = async () => demand(200, await service.operator('get', `/locations/${location_id}`)).notices;
const typesOfLocation = async () =>
  (await service.events(`location-${location_id}`)).map(({ type }) => type).slice(1);

describe('the notices of a location', () => {
  it('are off until they are set, and replaced field by field', async () => {
    expect(await noticesOf()).toEqual(OFF);
    demand(200, await change({ notices: { closes_in_days: 3, closed: true } }));
    const { notices } = demand(200, await change({ notices: { closes_in_days: null, opened: true } }));
    expect(notices).toEqual({ ...OFF, closed: true, opened: true });
    expect(await noticesOf()).toEqual(notices);
  });

  it('leave one event, and a repeat none', async () => {
    demand(200, await change({ notices: { welcome: true } }));
    demand(200, await change({ notices: { welcome: true } }));
    expect(await typesOfLocation()).toEqual(['LocationNoticesChanged']);
  });

  it('are not written by a dry run, which shows them', async () => {
    const shown = demand(200, await change({ notices: { closed: true } }, '?dry_run=true'));
    expect(shown).toMatchObject({ notices: { ...OFF, closed: true }, dry_run: true });
    expect(await noticesOf()).toEqual(OFF);
  });

  it('stand in the feed of the company', async () => {
    demand(200, await change({ notices: { closed: true } }));
    const { events } = demand(200, await company.push('get', '/events?types=LocationNoticesChanged'));
    expect(events).toMatchObject([{ data: { notices: { ...OFF, closed: true } } }]);
  });

  it('are the same after the views are filled anew', async () => {
    demand(200, await change({ notices: { closes_in_days: 14 } }));
    await service.restart({ keepViews: false });
    expect(await noticesOf()).toEqual({ ...OFF, closes_in_days: 14 });
  });

  it.each<[string, object, string, string]>([
    ['no change', { notices: {} }, 'notices', 'required'],
    ['null', { notices: null }, 'notices', 'type'],
    ['a switch that is a text', { notices: { closed: 'yes' } }, 'notices.closed', 'type'],
    ['a switch that is null', { notices: { closed: null } }, 'notices.closed', 'type'],
    ['no day', { notices: { closes_in_days: 0 } }, 'notices.closes_in_days', 'out_of_range'],
    ['too many days', { notices: { closes_in_days: 15 } }, 'notices.closes_in_days', 'out_of_range'],
    ['half a day', { notices: { closes_in_days: 1.5 } }, 'notices.closes_in_days', 'type'],
    ['another field', { notices: { late: true } }, 'notices.late', 'not_allowed'],
  ])('that are %s are refused at the field', async (_what, body, field, code) => {
    const answer = await change(body);
    expect(answer.status).toBe(422);
    expect(answer.body.details).toMatchObject([{ field, code }]);
  });
});
