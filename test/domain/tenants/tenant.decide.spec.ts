import { decideTenant, evolveTenant } from '#domain/tenants/core/tenant.decide.js';
import type { TenantEvent } from '#domain/tenants/core/tenant.events.js';
import { given } from '../../support/given.js';

const where = { company_id: 'company', location_id: 'main' } as const;
const changed: TenantEvent = { type: 'TenantDetailsChanged', data: { ...where, fields: ['name', 'phone'] } };
const erased: TenantEvent = { type: 'TenantErased', data: where };
const ended: TenantEvent = { type: 'TenantSessionsEnded', data: where };
const erase = { type: 'EraseTenant', ...where } as const;

const givenTenant = (...events: TenantEvent[]) =>
  given({ evolve: evolveTenant, decide: decideTenant }, ...events);

describe('a tenant’s account', () => {
  it('tells which details changed, where any did', () => {
    const change = { type: 'ChangeTenantDetails', ...where } as const;
    givenTenant()
      .when({ ...change, fields: ['name', 'phone'] })
      .then(changed)
      .withResult(undefined);
    givenTenant()
      .when({ ...change, fields: [] })
      .thenNothing();
  });

  it('is erased once, whatever came before', () => {
    givenTenant().when(erase).then(erased);
    givenTenant(changed, ended).when(erase).then(erased);
    givenTenant(ended).when(erase).then(erased);
    givenTenant(erased).when(erase).thenNothing();
    givenTenant(erased, ended).when(erase).thenNothing();
  });

  it('is erased again once it has had details since', () => {
    givenTenant(erased, changed).when(erase).then(erased);
  });

  it('ends its sessions each time that it is told to', () => {
    const end = { type: 'EndTenantSessions', ...where } as const;
    givenTenant().when(end).then(ended);
    givenTenant(ended).when(end).then(ended);
  });

  it('records a call, and that it is taken back', () => {
    const called: TenantEvent = { type: 'TenantCalled', data: where };
    const takenBack: TenantEvent = { type: 'TenantCallTakenBack', data: where };
    givenTenant()
      .when({ type: 'CallTenant', ...where })
      .then(called);
    givenTenant(called)
      .when({ type: 'TakeTenantCallBack', ...where })
      .then(takenBack);
    givenTenant(erased, called).when(erase).thenNothing();
  });

  it('knows whether its person is gone', () => {
    expect(evolveTenant(undefined, ended)).toEqual({ erased: false });
    expect(evolveTenant({ erased: true }, ended)).toEqual({ erased: true });
    expect(evolveTenant({ erased: true }, changed)).toEqual({ erased: false });
    expect(evolveTenant(undefined, erased)).toEqual({ erased: true });
  });
});
