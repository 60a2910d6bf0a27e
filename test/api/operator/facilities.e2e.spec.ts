import { startOperatorService } from './operator-service.js';
import type { OperatorService } from './operator-service.js';
import { invalid } from '../../support/invalid.js';

const ULID = expect.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/) as string;
const NOBODY = '01JZZZZZZZZZZZZZZZZZZZZZZZ';

let service: OperatorService;
beforeAll(async () => {
  service = await startOperatorService();
});
afterAll(() => service.stop());

async function create(path: string, body: object): Promise<Record<string, string>> {
  const answer = await service.call('post', path, body);
  expect(answer.status).toBe(201);
  return answer.body.data as Record<string, string>;
}

const newCompany = async () => (await create('/companies', { name: 'Ada Storage' }))['company_id']!;

async function newLocation(pms_location_code = 'MAIN', company_id?: string): Promise<string> {
  const company = company_id ?? (await newCompany());
  const created = await create(`/companies/${company}/locations`, { pms_location_code, name: 'Main St' });
  return created['location_id']!;
}

/** What each page of the list of companies holds, of pages for one each. */
async function pagesOfOne(): Promise<Record<string, unknown>[][]> {
  const pages: Record<string, unknown>[][] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { data } = (await service.call('get', `/companies?limit=1${from}`)).body;
    expect(data.companies).toHaveLength(1);
    pages.push(data.companies);
    cursor = data.next_cursor;
  }
  return pages;
}

function placeUnit(location_id: string, unit_id = service.ids.ulid()): string {
  service.units.set(unit_id, { unit_id, company_id: 'company', location_id });
  return unit_id;
}

describe('companies', () => {
  it('are registered, listed in pages and shown with their locations', async () => {
    const first = await service.call('post', '/companies', { name: 'Ada Storage' });
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      message: 'Request successful.',
      data: {
        company_id: ULID,
        name: 'Ada Storage',
        created_at: '2026-01-01T00:00:00.000Z',
        sandbox: false,
        clock: null,
      },
    });
    const company_id = first.body.data.company_id as string;
    service.clock.advance(1_000);
    const second = await service.call('post', '/companies', { name: 'Bob Storage' });
    // The pages hold those of other tests as well, each made before or after these two.
    const pages = await pagesOfOne();
    const place = pages.findIndex(([company]) => company!['company_id'] === company_id);
    expect(pages.slice(place, place + 2)).toEqual([[first.body.data], [second.body.data]]);
    expect(new Set(pages.map(([company]) => company!['company_id'])).size).toBe(pages.length);
    const location_id = await newLocation('MAIN', company_id);
    const one = await service.call('get', `/companies/${company_id}`);
    expect(one.body.data).toMatchObject({
      company_id,
      name: 'Ada Storage',
      locations: [{ location_id, company_id }],
    });
  });

  it('need a name, a page a sound cursor and limit', async () => {
    const blank = await service.call('post', '/companies', { name: '  ', colour: 'red' });
    expect(blank.status).toBe(422);
    expect(blank.body).toEqual(
      invalid({ name: ['The name field is required.'], colour: ['The colour field is not allowed.'] }),
    );
    expect((await service.call('get', '/companies?cursor=nonsense')).body.errors).toEqual({
      cursor: ['The cursor field is invalid.'],
    });
    expect((await service.call('get', '/companies?limit=501')).status).toBe(422);
  });

  it('that are unknown are not found', async () => {
    for (const id of [NOBODY, 'x'.repeat(2_000), '%F0%9F%94%92']) {
      const answers = [
        await service.call('get', `/companies/${id}`),
        await service.call('post', `/companies/${id}/locations`, { pms_location_code: 'A', name: 'A' }),
        await service.call('post', `/companies/${id}/api-tokens`, { name: 'A' }),
        await service.call('get', `/companies/${id}/api-tokens`),
        await service.call('delete', `/companies/${id}/api-tokens/${NOBODY}`),
      ];
      for (const answer of answers) {
        expect(answer.status).toBe(404);
        expect(answer.body).toMatchObject({ code: 'company_not_found', message: 'Company not found.' });
      }
    }
  });
});

describe('locations', () => {
  it('have a policy by default and show amounts as decimals', async () => {
    const company_id = await newCompany();
    const plain = await create(`/companies/${company_id}/locations`, {
      pms_location_code: 'MAIN',
      name: 'Main St',
    });
    expect(plain).toEqual({
      location_id: ULID,
      company_id,
      pms_location_code: 'MAIN',
      name: 'Main St',
      timezone: 'UTC',
      grace_period_days: 5,
      balance_threshold: 0,
      access_hours: null,
      contact: { phone: null, email: null, address: null, payment_url: null },
      currency: 'USD',
      notices: { welcome: false, closes_in_days: null, closed: false, opened: false },
      tenant_sharing: false,
      blanket_delinquency: true,
      delinquency_mode: 'automatic',
    });
    const policy = {
      timezone: 'America/Chicago',
      grace_period_days: 0,
      balance_threshold: 19.99,
      blanket_delinquency: false,
      delinquency_mode: 'pms_flag_only',
    };
    const given = await create(`/companies/${company_id}/locations`, {
      pms_location_code: 'SIDE',
      name: 'Side',
      ...policy,
    });
    expect(given).toMatchObject(policy);
    expect((await service.call('get', `/locations/${given['location_id']}`)).body.data).toEqual(given);
  });

  it('have a code of their own within the company only', async () => {
    const company_id = await newCompany();
    await newLocation('MAIN', company_id);
    const answer = await service.call('post', `/companies/${company_id}/locations`, {
      pms_location_code: 'MAIN',
      name: 'B',
    });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual({
      pms_location_code: ['The pms location code has already been taken.'],
    });
    await newLocation('MAIN');
  });

  it('change what is named, and only a policy has the units evaluated again', async () => {
    const location_id = await newLocation();
    const before = service.evaluated.length;
    const renamed = await service.call('patch', `/locations/${location_id}`, { name: 'Elm St' });
    expect(renamed.body.data).toMatchObject({ location_id, name: 'Elm St', grace_period_days: 5 });
    expect(service.evaluated.slice(before)).toEqual([]);
    const changed = await service.call('patch', `/locations/${location_id}`, {
      balance_threshold: 0.4,
      timezone: 'Asia/Tokyo',
    });
    expect(changed.body.data).toMatchObject({
      name: 'Elm St',
      balance_threshold: 0.4,
      timezone: 'Asia/Tokyo',
    });
    expect(service.evaluated.slice(before)).toEqual([location_id]);
    const shown = (await service.call('get', `/locations/${location_id}`)).body.data;
    expect(changed.body.data).toEqual({ ...shown, effect: expect.any(Object) });
  });

  it('keep a time zone with the capitals it is written with', async () => {
    const location_id = await newLocation();
    const changed = await service.call('patch', `/locations/${location_id}`, { timezone: 'europe/berlin' });
    expect(changed.body.data.timezone).toBe('Europe/Berlin');
  });

  it('refuse what makes no policy', async () => {
    const location_id = await newLocation();
    const answer = await service.call('patch', `/locations/${location_id}`, {
      timezone: 'Mars/Olympus',
      grace_period_days: 91,
      balance_threshold: -0.01,
      blanket_delinquency: 'yes',
      delinquency_mode: 'harsh',
      pms_location_code: 'OTHER',
    });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual({
      timezone: ['The timezone field must be a time zone, like America/Chicago.'],
      grace_period_days: ['The grace period days field must be between 0 and 90.'],
      balance_threshold: ['The balance threshold field must be at least 0.'],
      blanket_delinquency: ['The blanket delinquency field must be true or false.'],
      delinquency_mode: ['The delinquency mode field must be one of automatic, pms_flag_only.'],
      pms_location_code: ['The pms location code field is not allowed.'],
    });
    for (const body of [{}, { timezone: '+05:00' }, { timezone: null }, { balance_threshold: 0.001 }]) {
      expect((await service.call('patch', `/locations/${location_id}`, body)).status).toBe(422);
    }
  });

  it('that are unknown are not found', async () => {
    const answers = [
      await service.call('get', `/locations/${NOBODY}`),
      await service.call('patch', `/locations/${NOBODY}`, { name: 'A' }),
      await service.call('post', `/locations/${NOBODY}/zones`, { name: 'A' }),
      await service.call('post', `/locations/${NOBODY}/locks`, { name: 'A' }),
      await service.call('post', `/locations/${NOBODY}/entry-points`, {
        name: 'A',
        kind: 'gate',
        zone_ids: [],
      }),
      await service.call('get', `/locations/${NOBODY}/locks`),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({ code: 'location_not_found', message: 'Location not found.' });
    }
  });
});

describe('zones and entry points', () => {
  it('hold units and open for them', async () => {
    const location_id = await newLocation();
    const zone = await create(`/locations/${location_id}/zones`, { name: 'Wing A' });
    expect(zone).toEqual({ zone_id: ULID, location_id, name: 'Wing A' });
    const zone_id = zone['zone_id']!;
    const unit_id = placeUnit(location_id);
    for (const method of ['put', 'put', 'delete', 'delete'] as const) {
      const answer = await service.call(method, `/zones/${zone_id}/units/${unit_id}`);
      expect(answer.status).toBe(200);
      expect(answer.body.data).toEqual({ zone_id, unit_id });
    }
    const gate = await create(`/locations/${location_id}/entry-points`, {
      name: 'North gate',
      kind: 'gate',
      zone_ids: [zone_id],
    });
    expect(gate).toEqual({
      entry_point_id: ULID,
      location_id,
      name: 'North gate',
      kind: 'gate',
      zone_ids: [zone_id],
      in_service: true,
      hours: 'location',
      key_format: 1,
    });
    const path = `/entry-points/${gate['entry_point_id']}`;
    const changed = await service.call('patch', path, { in_service: false, zone_ids: [] });
    expect(changed.body.data).toEqual({ ...gate, in_service: false, zone_ids: [] });
    expect(
      (await service.call('get', `/locations/${location_id}/entry-points`)).body.data.entry_points,
    ).toEqual([changed.body.data]);
    expect((await service.call('get', `/locations/${location_id}/zones`)).body.data.zones).toEqual([zone]);
  });

  it('are led to each other one by one, also at once', async () => {
    const location_id = await newLocation();
    const zoneOf = (name: string) => create(`/locations/${location_id}/zones`, { name });
    const zones = await Promise.all(['A', 'B', 'C', 'D', 'E'].map(zoneOf));
    const ids = zones.map(({ zone_id }) => zone_id!);
    const gate = { name: 'Gate', kind: 'gate', zone_ids: [ids[0]] };
    const { entry_point_id } = await create(`/locations/${location_id}/entry-points`, gate);
    const lead = (method: 'put' | 'delete', zone_id: string) =>
      service.call(method, `/zones/${zone_id}/entry-points/${entry_point_id}`);
    const others = await Promise.all([
      lead('delete', ids[0]!),
      ...ids.slice(1).map((zone_id) => lead('put', zone_id)),
    ]);
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const again = await lead('put', ids[1]!);
    expect([...again.body.data.zone_ids].sort()).toEqual(ids.slice(1).sort());
    expect((await lead('put', NOBODY)).body.message).toBe('Zone not found.');
    const nowhere = await service.call('put', `/zones/${ids[0]}/entry-points/${NOBODY}`);
    expect(nowhere.body.message).toBe('Entry point not found.');
    const elsewhere = await create(`/locations/${await newLocation()}/zones`, { name: 'Z' });
    expect((await lead('put', elsewhere['zone_id']!)).status).toBe(404);
  });

  it('may be led apart once more after the zone was removed', async () => {
    const location_id = await newLocation();
    const { zone_id } = await create(`/locations/${location_id}/zones`, { name: 'Z' });
    const gate = { name: 'Gate', kind: 'gate', zone_ids: [zone_id] };
    const { entry_point_id } = await create(`/locations/${location_id}/entry-points`, gate);
    const leadApart = (zone = zone_id!) =>
      service.call('delete', `/zones/${zone}/entry-points/${entry_point_id}`);
    expect((await leadApart()).status).toBe(200);
    expect((await service.call('delete', `/zones/${zone_id}`)).status).toBe(200);
    const again = await leadApart();
    expect([again.status, again.body.data.zone_ids]).toEqual([200, []]);
    const elsewhere = await create(`/locations/${await newLocation()}/zones`, { name: 'Z' });
    for (const unknown of [NOBODY, elsewhere['zone_id']!])
      expect((await leadApart(unknown)).body.message).toBe('Zone not found.');
  });

  it('stay within one location', async () => {
    const company_id = await newCompany();
    const [main, side] = [await newLocation('MAIN', company_id), await newLocation('SIDE', company_id)];
    const { zone_id } = await create(`/locations/${side}/zones`, { name: 'Wing' });
    const foreign = await service.call('post', `/locations/${main}/entry-points`, {
      name: 'Gate',
      kind: 'door',
      zone_ids: [zone_id, NOBODY],
    });
    expect(foreign.status).toBe(422);
    expect(foreign.body.errors).toEqual({
      'zone_ids.0': ['The zone ids.0 field must be a zone of the same location.'],
      'zone_ids.1': ['The zone ids.1 field must be a zone of the same location.'],
    });
    const answer = await service.call('put', `/zones/${zone_id}/units/${placeUnit(main)}`);
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual({
      unit_id: ['The unit id field must be a unit of the same location.'],
    });
  });

  it('that are unknown are not found', async () => {
    const location_id = await newLocation();
    const { zone_id } = await create(`/locations/${location_id}/zones`, { name: 'Wing' });
    const message = async (method: 'put' | 'delete' | 'patch', path: string, body?: object) => {
      const answer = await service.call(method, path, body);
      expect(answer.status).toBe(404);
      return answer.body.message as string;
    };
    expect(await message('put', `/zones/${NOBODY}/units/${placeUnit(location_id)}`)).toBe('Zone not found.');
    expect(await message('put', `/zones/${zone_id}/units/${NOBODY}`)).toBe('Unit not found.');
    expect(await message('delete', `/zones/${zone_id}/units/${NOBODY}`)).toBe('Unit not found.');
    expect(await message('patch', `/entry-points/${NOBODY}`, { name: 'A' })).toBe('Entry point not found.');
  });

  it('refuse a change that changes nothing by name', async () => {
    const location_id = await newLocation();
    const gate = await create(`/locations/${location_id}/entry-points`, {
      name: 'Gate',
      kind: 'elevator',
      zone_ids: [],
    });
    expect((await service.call('patch', `/entry-points/${gate['entry_point_id']}`, {})).status).toBe(422);
    const bad = await service.call('post', `/locations/${location_id}/entry-points`, {
      name: 'Gate',
      kind: 'moat',
    });
    expect(bad.body.errors).toEqual({
      kind: ['The kind field must be one of gate, door, elevator.'],
      zone_ids: ['The zone ids field is required.'],
    });
  });
});

describe('locks', () => {
  it('are on one unit at a time', async () => {
    const location_id = await newLocation();
    const hidden = { name: 'A-101 door', serial: 'S-\u200b1' };
    expect((await service.call('post', `/locations/${location_id}/locks`, hidden)).status).toBe(422);
    const lock = await create(`/locations/${location_id}/locks`, { name: 'A-101 door', serial: 'S-1' });
    const twin = await service.call('post', `/locations/${location_id}/locks`, {
      name: 'Twin',
      serial: 'S-1',
    });
    expect(twin.body).toEqual(
      invalid(
        {
          serial: [
            'The serial has already been taken by the lock A-101 door of this location. Use that lock, or correct the serial.',
          ],
        },
        ['taken'],
      ),
    );
    expect(lock).toEqual({
      lock_id: ULID,
      location_id,
      name: 'A-101 door',
      serial: 'S-1',
      key_format: 1,
      unit_id: null,
    });
    const [first, second] = [placeUnit(location_id), placeUnit(location_id)];
    const path = (unit_id: string) => `/units/${unit_id}/locks/${lock['lock_id']}`;
    const attached = { ...lock, unit_id: first };
    expect((await service.call('put', path(first))).body.data).toEqual(attached);
    expect((await service.call('put', path(first))).body.data).toEqual(attached);
    const taken = await service.call('put', path(second));
    expect(taken.status).toBe(409);
    expect(taken.body).toEqual({
      code: 'lock_on_another_unit',
      message: 'The lock is attached to another unit.',
    });
    expect((await service.call('delete', path(second))).body.code).toBe('lock_on_another_unit');
    expect((await service.call('delete', path(first))).body.data).toEqual(lock);
    expect((await service.call('put', path(second))).body.data).toEqual({ ...lock, unit_id: second });
    expect((await service.call('get', `/locations/${location_id}/locks`)).body.data.locks).toEqual([
      { ...lock, unit_id: second },
    ]);
  });

  it('and units that are unknown are not found', async () => {
    const location_id = await newLocation();
    const lock = await create(`/locations/${location_id}/locks`, { name: 'Door', serial: null });
    const noUnit = await service.call('put', `/units/${NOBODY}/locks/${lock['lock_id']}`);
    expect([noUnit.status, noUnit.body.message]).toEqual([404, 'Unit not found.']);
    const noLock = await service.call('delete', `/units/${placeUnit(location_id)}/locks/${NOBODY}`);
    expect([noLock.status, noLock.body.message]).toEqual([404, 'Lock not found.']);
  });
});
