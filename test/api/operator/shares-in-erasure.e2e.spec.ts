import { LocationDirectory } from '#domain/locations/index.js';
import { GuestRounds, ShareRecords } from '#domain/sharing/index.js';
import { OwnAccounts, TenantAccounts, TenantErasure } from '#domain/tenants/index.js';
import { SharingWorld } from '../tenant/support/sharing-world.js';
import { ManualClock } from '../../support/manual-clock.js';
import { demand, Service } from '../../support/service.js';

/** What is given to somebody in the instant in which the person is erased. */

const DAY = 24 * 3_600_000;

let service: Service;
let world: SharingWorld;

const erase = async (tenant_id: string) =>
  demand(200, await service.operator('delete', `/tenants/${tenant_id}/personal-data`));
const peopleOf = async () => {
  const { shares, invitations } = await world.unit();
  return [...shares, ...invitations];
};

/** The whole erasure happens after the next look at an account by its id, which found it there. */
function eraseAfterLook(tenant_id: string): void {
  const accounts = service.part(TenantAccounts);
  const look = accounts.byTenantId.bind(accounts);
  const spy = jest.spyOn(accounts, 'byTenantId').mockImplementation(async (ids) => {
    const found = await look(ids);
    if (!ids.includes(tenant_id)) return found;
    spy.mockRestore();
    await erase(tenant_id);
    return found;
  });
}

beforeAll(async () => {
  service = await Service.start({ clock: new ManualClock(Date.parse('2026-03-02T15:00:00.000Z')) });
});
afterAll(() => service.close());
beforeEach(async () => {
  world = await SharingWorld.make(service);
});

it('a share by staff ends, and is refused', async () => {
  const { guest } = await world.invite();
  eraseAfterLook(guest.tenant_id);
  const path = `/units/${world.unit_id}/shares/${guest.tenant_id}`;
  const answer = await service.operator('put', path, { until: world.inDays(2) });
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['tenant_id']]);
  expect(await peopleOf()).toEqual([]);
  expect(await world.sharingEvents()).toContain('UnitShareEnded');
});

it('an invitation ends, is refused, and leaves no name', async () => {
  const { phone_number, share_id } = await world.invite();
  demand(200, await world.tenant.shares('delete', `/${share_id}`));
  const accounts = service.part(OwnAccounts);
  const find = accounts.findOrCreateGuest.bind(accounts);
  jest.spyOn(accounts, 'findOrCreateGuest').mockImplementationOnce(async (...parameters) => {
    const account = await find(...parameters);
    await erase(account.tenant_id);
    return account;
  });
  service.manualClock.advance(DAY);
  const answer = await world.offer({ phone_number, name: 'Daniel Again' });
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['phone_number']]);
  expect(await peopleOf()).toEqual([]);
  expect((await world.sharingEvents()).slice(-2)).toEqual(['UnitShareOffered', 'UnitShareOfferEnded']);
  const events = await service.events(`unit-${world.company.id}.A-1`);
  const offered = events.findLast(({ type }) => type === 'UnitShareOffered')!.data['share_id'] as string;
  expect((await service.part(ShareRecords).readShare(offered))?.name ?? null).toBeNull();
});

it('a share that is accepted is refused', async () => {
  const { guest, accept } = await world.invite();
  const locations = service.part(LocationDirectory);
  const find = locations.location.bind(locations);
  const spy = jest.spyOn(locations, 'location').mockImplementation(async (id) => {
    spy.mockRestore();
    await erase(guest.tenant_id);
    return find(id);
  });
  expect((await accept()).status).toBe(404);
  expect(await peopleOf()).toEqual([]);
});

describe('when a guest without anything is erased after 30 days', () => {
  it('what somebody gives in that instant ends', async () => {
    const { guest } = await world.invite();
    const erasure = service.part(TenantErasure);
    const go = erasure.erase.bind(erasure);
    const path = `/units/${world.unit_id}/shares/${guest.tenant_id}`;
    const spy = jest.spyOn(erasure, 'erase').mockImplementationOnce(async (...parameters) => {
      demand(200, await service.operator('put', path, { until: world.inDays(2) }));
      return go(...parameters);
    });
    for (let day = 0; day < 38; day += 1) {
      service.manualClock.advance(DAY);
      await service.part(GuestRounds).lookAtDue();
    }
    expect(spy).toHaveBeenCalledTimes(1);
    spy.mockRestore();
    expect(await peopleOf()).toEqual([]);
    expect(await world.sharingEvents()).toContain('UnitShareEnded');
  });
});
