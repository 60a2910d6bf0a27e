import { OFFICE_HOURS } from '../../domain/locations/hours/support/office-hours.js';
import { ManualClock } from '../../support/manual-clock.js';
import { demand, Service } from '../../support/service.js';
import { Visitor } from '../support/visitor.js';

const DAY_MS = 24 * 60 * 60_000;

let service: Service;
let admin: Visitor;
let location_id: string;

const operator = (...parameters: Parameters<Service['operator']>) => service.operator(...parameters);

async function addGate(zone_id: string): Promise<string> {
  const added = { name: 'North gate', kind: 'gate', zone_ids: [zone_id] };
  return demand(201, await operator('post', `/locations/${location_id}/entry-points`, added)).entry_point_id;
}

async function passDay(): Promise<void> {
  service.manualClock.advance(DAY_MS);
  admin = await Visitor.signedIn(service);
}

beforeAll(async () => {
  service = await Service.start({ clock: new ManualClock(Date.parse('2026-01-01T23:00:00.000Z')) });
  admin = await Visitor.signedIn(service);
});
afterAll(() => service.close());
beforeEach(async () => {
  location_id = (await service.company()).locations.get('MAIN')!;
});

describe('since when a gate is open or closed', () => {
  const setHours = async () =>
    demand(200, await operator('patch', `/locations/${location_id}`, { access_hours: OFFICE_HOURS }));
  const newGate = async () => {
    const zone = demand(201, await operator('post', `/locations/${location_id}/zones`, { name: 'Yard' }));
    return addGate(zone.zone_id);
  };

  it('is on its page and in the lists', async () => {
    await setHours();
    const gate_id = await newGate();
    await passDay();
    const since = /Closed since \w+ \d+, 2026, 10:00 PM \w+ , opens/;
    for (const path of [`entry-points/${gate_id}`, `locations/${location_id}`]) {
      await admin.visit(`/dashboard/${path}`);
      expect(admin.text).toMatch(since);
    }
  });

  it('is not said while it is unknown, because the hours were changed since', async () => {
    const gate_id = await newGate();
    await passDay();
    await setHours();
    await admin.visit(`/dashboard/entry-points/${gate_id}`);
    expect(admin.text).toContain('Closed, opens');
  });

  it('is not said of a gate that was changed since', async () => {
    await setHours();
    const gate_id = await newGate();
    await passDay();
    demand(200, await operator('patch', `/entry-points/${gate_id}`, { hours: 'always' }));
    demand(200, await operator('patch', `/entry-points/${gate_id}`, { hours: 'location' }));
    await admin.visit(`/dashboard/entry-points/${gate_id}`);
    expect(admin.text).toContain('Closed, opens');
  });
});
