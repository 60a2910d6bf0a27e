import { instantText } from '#dashboard/parts/words.js';
import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

let service: Service;
let admin: Visitor;

beforeAll(async () => {
  service = await Service.start();
  admin = await Visitor.signedIn(service);
});
afterAll(() => service.close());

describe('companies', () => {
  it('are registered, given a location and shown', async () => {
    await admin.visit('/dashboard');
    expect(admin.text).toContain('There is no company yet.');
    await admin.submit('company', { name: 'Lakeside <b>&"Storage"' });
    expect(admin.shown.path).toMatch(/^\/dashboard\/companies\/[0-9A-Z]{26}\?done=company_registered$/);
    expect(admin.html).toContain('<b>Lakeside &lt;b>&amp;&quot;Storage&quot;</b>');
    expect(admin.text).toContain('The company is added. Sites');
    await admin.submit('location', {
      name: 'Lake Street',
      pms_location_code: 'LAKE',
      timezone: 'America/Chicgo',
    });
    expect(admin.shown.status).toBe(422);
    expect(admin.text).toContain(
      '“Time zone” must be a time zone, like America/Chicago. Did you mean America/Chicago?',
    );
    expect(admin.form('location').values).toMatchObject({ name: 'Lake Street', timezone: 'America/Chicgo' });
    await admin.submit('location', { timezone: '' });
    expect(admin.text).toContain('“Time zone” is required.');
    await admin.submit('location', { timezone: ' chicago', grace_period_days: '9' });
    await admin.visit(admin.links.find((href) => href.endsWith('/policy'))!);
    expect(admin.form('policy').values).toMatchObject({
      grace_period_days: '9',
      timezone: 'America/Chicago',
    });
    await admin.visit('/dashboard');
    await admin.visit(admin.links.find((href) => /^\/dashboard\/companies\/\w+$/.test(href))!);
    expect(admin.text).toContain(
      'Lake Street LAKE Chicago, Central Time Locks by balance over $0.00 after 9 days of grace',
    );
    expect(admin.links.filter((href) => href.endsWith('/policy'))).toHaveLength(1);
    const { path } = admin.shown;
    await admin.visit(admin.links.find((href) => href.endsWith('/policy'))!);
    await admin.submit('policy', { delinquency_mode: 'pms_flag_only' });
    await admin.submit('apply');
    await admin.visit(path);
    expect(admin.text).toContain('Chicago, Central Time Locks by PMS flags');
  });

  it('need a name', async () => {
    await admin.visit('/dashboard/companies');
    expect(admin.text).toMatch(/ Since \(UTC\) .* Today at \S+ .*? Jan 1, 2026 /);
    await admin.submit('company', { name: ' ' });
    expect(admin.shown.status).toBe(422);
    expect(admin.html).toContain('aria-invalid="true"');
  });

  it('that are out of scope are not there', async () => {
    const mine = await service.company();
    const other = await service.company();
    const visitor = await Visitor.of(service, 'admin', [mine.id]);
    await visitor.visit('/dashboard');
    expect(visitor.html).toContain(mine.id);
    expect(visitor.html).not.toContain(other.id);
    expect(visitor.forms).not.toContain('company');
    for (const part of ['', '/api-tokens']) {
      expect((await visitor.visit(`/dashboard/companies/${other.id}${part}`)).status).toBe(404);
    }
    expect((await visitor.post('/dashboard/companies', { name: 'Mine' })).status).toBe(403);
  });

  it('are changed by nobody who may only look', async () => {
    const { id } = await service.company();
    const auditor = await Visitor.of(service, 'auditor');
    await auditor.visit(`/dashboard/companies/${id}`);
    expect([auditor.shown.status, auditor.forms]).toEqual([200, []]);
    expect(auditor.links).not.toContain(`/dashboard/companies/${id}/api-tokens`);
    expect((await auditor.post(`/dashboard/companies/${id}/locations`, {})).status).toBe(403);
    expect((await auditor.visit(`/dashboard/companies/${id}/api-tokens`)).status).toBe(403);
  });
});

describe('the API tab', () => {
  it('creates a token, shows its value once, and deletes it', async () => {
    const company = await service.company();
    const path = `/dashboard/companies/${company.id}/api-tokens`;
    await admin.visit(path);
    await admin.submit('token', { name: 'Night & day' });
    expect(admin.shown.status).toBe(201);
    const token = /id="token-value">([^<]+)</.exec(admin.html)![1]!;
    expect((await service.call('get', '/api/v2/units', { token })).status).toBe(200);
    await admin.visit(path);
    expect(admin.html).not.toContain(token);
    expect(admin.text).toContain('Night & day');
    const { api_tokens } = demand(200, await service.operator('get', `/companies/${company.id}/api-tokens`));
    const { token_id } = api_tokens.find(({ name }: { name: string }) => name === 'Night & day');
    expect(admin.text).toContain('This cannot be undone.');
    await admin.submit(`delete-${token_id}`);
    expect(admin.text).toContain('The token is deleted.');
    expect((await service.call('get', '/api/v2/units', { token })).status).toBe(401);
  });

  it('creates one token by a form that is sent twice, at once or by a reload, and says so', async () => {
    const company = await service.company();
    const path = `/dashboard/companies/${company.id}/api-tokens`;
    const tokens = async (): Promise<string[]> => {
      const { api_tokens } = demand(
        200,
        await service.operator('get', `/companies/${company.id}/api-tokens`),
      );
      return (api_tokens as { name: string }[]).map(({ name }) => name).filter((name) => name !== 'PMS');
    };
    await admin.visit(path);
    const { action, values } = admin.form('token');
    const form = { ...values, name: 'Once' };
    const both = await Promise.all([admin.post(action, form), admin.post(action, form)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 422]);
    await admin.post(action, form);
    expect([admin.shown.status, await tokens()]).toEqual([422, ['Once']]);
    expect(admin.text).toContain('The form was sent before, and this token exists.');
    expect(admin.html).not.toContain('token-value');
    // The page that says so has a form of its own, and another name is another token.
    await admin.submit('token');
    expect([admin.shown.status, await tokens()]).toEqual([201, ['Once', 'Once']]);
    await admin.post(action, { ...form, name: 'Another' });
    expect([admin.shown.status, await tokens()]).toEqual([201, ['Once', 'Once', 'Another']]);
  });

  describe('with an end', () => {
    const zone = 'America/Chicago';
    let company: Company;
    let path: string;
    beforeEach(async () => {
      company = await service.company({ pms_location_code: 'MAIN', timezone: zone });
      path = `/dashboard/companies/${company.id}/api-tokens`;
      await admin.visit(path);
    });

    async function endOf(name: string): Promise<string | null> {
      const { api_tokens } = demand(
        200,
        await service.operator('get', `/companies/${company.id}/api-tokens`),
      );
      return api_tokens.find((token: { name: string }) => token.name === name).expires_at;
    }

    it('creates a token that never ends unless an end is chosen', async () => {
      await admin.submit('token', { name: 'PMS feed' });
      expect(await endOf('PMS feed')).toBeNull();
    });

    it('creates a token that ends after its last day, at the midnight of its sites', async () => {
      await admin.submit('token', { name: 'For the auditor', expires: 'other', expires_on: '2027-03-01' });
      expect(await endOf('For the auditor')).toBe('2027-03-02T06:00:00.000Z');
    });

    it('lists the last day of a token as it was typed', async () => {
      await admin.submit('token', { name: 'Until March', expires: 'other', expires_on: '2027-03-31' });
      expect(admin.text).toContain('ends Mar 31, 2027');
    });

    it('creates a token of 90 days', async () => {
      await admin.submit('token', { name: 'Trial', expires: '90' });
      const days = (Date.parse((await endOf('Trial'))!) - service.clock.now()) / 86_400_000;
      expect(days).toBeGreaterThan(90);
      expect(days).toBeLessThanOrEqual(91);
    });

    it.each([
      ['no last day', '', 'Enter the last day of the token.'],
      ['a last day that is past', '2020-01-01', 'The last day is past. Enter today or a later day.'],
    ])('refuses %s, in the drawer with what was typed', async (_name, expires_on, fault) => {
      await admin.submit('token', { name: 'Late', expires: 'other', expires_on });
      expect(admin.shown.status).toBe(422);
      expect(admin.text).toContain(fault);
      expect(admin.html).toMatch(/<input[^>]*name="expires_on"[^>]*aria-invalid="true"/);
      expect(admin.form('token').values).toMatchObject({ name: 'Late', expires: 'other' });
    });
  });

  it('tells of a token that has an end when that is, or was, in its file too', async () => {
    const zone = 'America/Chicago';
    const company = await service.company({ pms_location_code: 'MAIN', timezone: zone });
    const path = `/dashboard/companies/${company.id}/api-tokens`;
    const expires_at = new Date(service.clock.now() + 60_000).toISOString();
    const body = { name: 'For the auditor', expires_at };
    demand(201, await service.operator('post', `/companies/${company.id}/api-tokens`, body));
    const end = instantText(expires_at, zone, 'day');
    await admin.visit(path);
    expect(admin.text).toContain(` ends ${end} `);
    service.manualClock.advance(60_000);
    await admin.visit(path);
    expect(admin.text).toContain(` ended ${end} `);
    await admin.visit(`${path}/api-tokens.csv`);
    expect(admin.html).toMatch(/^token_id,name,scope,created_at,expires_at,/);
    expect(admin.html).toContain(`,${expires_at},`);
  });
});
