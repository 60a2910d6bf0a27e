import { demand, Service } from '../../support/service.js';

let service: Service;

beforeAll(async () => {
  service = await Service.start({ environment: { RATE_LIMIT_PMS_WRITES: '77' } });
});
afterAll(() => service.close());

describe('what a token is', () => {
  it('is told with its company, the locations it may write to, and how much', async () => {
    const company = await service.company({
      pms_location_code: 'MAIN',
      name: 'Main St',
      timezone: 'America/Chicago',
      grace_period_days: 3,
    });
    const answer = await company.push('get', '/company');
    expect(answer.body).toEqual({
      message: 'Request successful.',
      data: {
        company_id: company.id,
        name: 'Park Storage',
        sandbox: false,
        clock: null,
        token: {
          token_id: expect.stringMatching(/^[0-9A-Z]{26}$/),
          name: 'PMS',
          scope: 'write',
          created_at: new Date(service.clock.now()).toISOString(),
          expires_at: null,
        },
        locations: [
          {
            id: company.locations.get('MAIN'),
            pms_location_code: 'MAIN',
            name: 'Main St',
            timezone: 'America/Chicago',
            currency: 'USD',
            policy: {
              grace_period_days: 3,
              balance_threshold: 0,
              blanket_delinquency: true,
              delinquency_mode: 'automatic',
              timezone: 'America/Chicago',
            },
          },
        ],
        limits: {
          units_per_bulk: 500,
          requests: [
            { policy: 'pms-write', limit: 77, window_seconds: 60 },
            { policy: 'pms-read', limit: 1_000_000, window_seconds: 60 },
            { policy: 'pms-bulk', limit: 1_000_000, window_seconds: 60 },
          ],
        },
      },
    });
  });

  it('is told with what the clock of its company says, where that is a sandbox', async () => {
    const company = await service.sandbox();
    const told = async () => demand(200, await company.push('get', '/company'));
    const now = service.clock.now();
    expect(await told()).toMatchObject({
      sandbox: true,
      clock: { now: new Date(now).toISOString(), ahead_seconds: 0 },
    });
    const step = { advance_seconds: 86_400 };
    demand(200, await service.operator('post', `/companies/${company.id}/clock`, step));
    expect(await told()).toMatchObject({
      sandbox: true,
      clock: { now: new Date(now + 86_400_000).toISOString(), ahead_seconds: 86_400 },
    });
  });

  it('is told to one that only reads, and of no other company', async () => {
    const company = await service.company();
    const other = await service.company({ pms_location_code: 'OTHER' });
    const body = { name: 'Auditor', scope: 'read', expires_at: '2026-12-31T00:00:00Z' };
    const path = `/companies/${company.id}/api-tokens`;
    const { token, token_id } = demand(201, await service.operator('post', path, body));
    const told = demand(200, await service.call('get', '/api/v2/company', { token }));
    expect(told).toMatchObject({
      company_id: company.id,
      token: { token_id, name: 'Auditor', scope: 'read', expires_at: '2026-12-31T00:00:00.000Z' },
      locations: [{ pms_location_code: 'MAIN' }],
    });
    expect(JSON.stringify(told)).not.toContain(other.id);
    expect(JSON.stringify(told)).not.toContain(token);
  });
});
