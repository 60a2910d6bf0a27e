import { joinOperator } from '../support/join-operator.js';
import { demand, Service } from '../support/service.js';
import { type Fields, Visitor } from './support/visitor.js';

const PASSWORD = 'correct horse battery staple';

let service: Service;
let admin: Visitor;

beforeAll(async () => {
  service = await Service.start();
  admin = await Visitor.signedIn(service);
});
afterAll(() => service.close());

async function locationOf(company_id: string, name: string): Promise<string> {
  const path = `/companies/${company_id}/locations`;
  const body = { pms_location_code: name, name };
  return demand(201, await service.operator('post', path, body)).location_id;
}

async function idOf(email: string): Promise<string> {
  const { operators } = demand(200, await service.operator('get', '/operators'));
  return operators.find((one: { email: string }) => one.email === email)?.operator_id;
}

/** Opens the drawer in which an operator is changed, and sends its form. */
async function change(email: string, fields: Fields): Promise<void> {
  const operator_id = await idOf(email);
  await admin.visit(`/dashboard/operators?change=${operator_id}`);
  await admin.submit(`operator-${operator_id}`, fields);
}

/** The row of an operator, as it is read. */
function rowOf(email: string): string {
  const row = admin.html.split('<tr').find((part) => part.includes('<td') && part.includes(email)) ?? '';
  return row.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

/** The one whose link the page shows, with a password set. */
async function joined(email: string): Promise<Visitor> {
  const [, url] = /id="invitation-link">([^<]+)</.exec(admin.html)!;
  await joinOperator(service.port, { url: url! }, PASSWORD);
  return Visitor.signedIn(service, email, PASSWORD);
}

describe('operators', () => {
  it('are added, changed and removed', async () => {
    const { id } = await service.company();
    const email = 'bo@example.com';
    await admin.visit('/dashboard/operators');
    await admin.submit('operator', {
      email,
      role: 'auditor',
      companies: '',
    });
    expect(admin.shown.status).toBe(422);
    expect(admin.form('operator').values).toMatchObject({ email, role: 'auditor' });
    await admin.submit('operator', { scope: 'some', companies: [id] });
    expect(admin.text).toContain(`Send this link to ${email}`);
    expect(admin.text).toContain('Whoever opens it chooses a password, and sees Park Storage alone.');
    expect(rowOf(email)).toContain('Invited, the link ends on Jan 8, 2026');
    expect(rowOf(email)).toContain('Auditor Park Storage Password, not chosen yet never');
    const bo = await joined(email);
    expect((await bo.visit('/dashboard/operators')).status).toBe(403);
    expect((await bo.visit('/dashboard')).status).toBe(200);
    expect(bo.links).not.toContain('/dashboard/operators');

    await change(email, { role: 'manager', scope: 'all', companies: '' });
    expect(rowOf(email)).toContain('Manager All companies Password Today');
    await change(email, { disabled: ['false', 'true'] });
    expect(rowOf(email)).toContain('Disabled: cannot sign in');
    expect((await bo.visit('/dashboard')).path).toContain('/dashboard/sign-in');
    await admin.submit(`remove-${await idOf(email)}`);
    expect(admin.text).toContain('The operator is removed, and every session of theirs is ended.');
    expect(await idOf(email)).toBeUndefined();
  });

  it('with a company ticked may see that company alone, however the rest of the form was left', async () => {
    const { id } = await service.company();
    const other = await service.company();
    const email = 'lim@example.com';
    await admin.visit('/dashboard/operators');
    await admin.submit('operator', { email, companies: [id] });
    expect(admin.text).toContain(`Send this link to ${email}`);
    const limited = await joined(email);
    expect((await limited.visit(`/dashboard/companies/${id}`)).status).toBe(200);
    expect((await limited.visit(`/dashboard/companies/${other.id}`)).status).toBe(404);
  });

  it('may see all companies only where that was chosen, and nothing else', async () => {
    const { id } = await service.company();
    await admin.visit('/dashboard/operators');
    const typed = { email: 'eve@example.com' };
    await admin.submit('operator', typed);
    expect(admin.shown.status).toBe(422);
    expect(admin.text).toContain('Select at least one company.');
    await admin.submit('operator', { email: 'no address' });
    for (const fault of ['“E-mail” must be', 'Select at least one company.'])
      expect(admin.text).toContain(fault);
    await admin.submit('operator', { ...typed, scope: 'all' });
    const form = `operator-${await idOf(typed.email)}`;
    await admin.visit(`/dashboard/operators?change=${await idOf(typed.email)}`);
    expect(admin.form(form).values).toMatchObject({ scope: 'all', companies: '' });
    await admin.submit(form, { scope: 'some' });
    expect(admin.text).toContain('Select at least one company.');
    await admin.submit(form, { scope: 'some', companies: [id] });
    const { operators } = demand(200, await service.operator('get', '/operators'));
    expect(operators.find((one: { email: string }) => one.email === typed.email)).toMatchObject({
      companies: [id],
    });
  });

  it.each([
    ['that leaves the choice of access out', []],
    ['that chooses an unknown access', 'many'],
  ])('are not made by a form %s, whatever is ticked', async (_, scope) => {
    const { id } = await service.company();
    const north = await locationOf(id, 'North');
    await admin.visit('/dashboard/operators');
    const { action, values } = admin.form('operator');
    const email = 'nil@example.com';
    const ticked = { companies: [id], locations: [`${id}/${north}`] };
    await admin.post(action, { ...values, email, ...ticked, scope });
    expect(admin.shown.status).toBe(422);
    expect(admin.text).toContain('Choose what the operator may see');
    const { operators } = demand(200, await service.operator('get', '/operators'));
    expect(operators.map((one: { email: string }) => one.email)).not.toContain(email);
  });

  it('of sites keep them where a form that leaves the choice of access out ticks a company', async () => {
    const { id } = await service.company();
    const north = await locationOf(id, 'North');
    const email = 'ned@example.com';
    const body = { email, password: PASSWORD, role: 'auditor', locations: [north] };
    const { operator_id } = demand(201, await service.operator('post', '/operators', body));
    await admin.visit(`/dashboard/operators?change=${operator_id}`);
    const { action, values } = admin.form(`operator-${operator_id}`);
    await admin.post(action, { ...values, scope: [], companies: [id] });
    expect(admin.shown.status).toBe(422);
    const { operators } = demand(200, await service.operator('get', '/operators'));
    expect(operators.find((one: { email: string }) => one.email === email).locations).toEqual([north]);
  });

  it('have all companies or selected ones, by one choice', async () => {
    await admin.visit('/dashboard/operators');
    expect(admin.form('operator').values).toMatchObject({ scope: 'some', companies: '' });
    expect(admin.html).toMatch(/type="radio" name="scope" value="some" checked/);
  });

  it('are offered all companies by an admin of all alone', async () => {
    const { id } = await service.company();
    const some = await Visitor.of(service, 'admin', [id]);
    await some.visit('/dashboard/operators');
    expect(some.html).not.toContain('name="scope" value="all"');
    await admin.visit('/dashboard/operators');
    expect(admin.html).toContain('name="scope" value="all"');
  });

  it('with sites ticked may see these alone', async () => {
    const { id } = await service.company();
    const [north, south] = [await locationOf(id, 'North'), await locationOf(id, 'South')];
    const email = 'sid@example.com';
    await admin.visit('/dashboard/operators');
    const boxes = { scope: 'sites', locations: [`${id}/${north}`] };
    await admin.submit('operator', { email, role: 'manager', ...boxes });
    expect(admin.text).toContain(`Send this link to ${email}`);
    expect(admin.text).toMatch(/and sees North.* alone\./);
    expect(rowOf(email)).toContain('North');
    const sid = await joined(email);
    expect((await sid.visit(`/dashboard/locations/${north}`)).status).toBe(200);
    expect(sid.links).not.toContain('/dashboard/audit');
    expect((await sid.visit(`/dashboard/locations/${south}`)).status).toBe(404);
    await sid.visit('/dashboard/account');
    expect(sid.text).toContain('1 location');

    await change(email, { locations: [`${id}/${north}`, `${id}/${south}`] });
    expect(admin.text).toContain('The operator is saved.');
    const { operators } = demand(200, await service.operator('get', '/operators'));
    expect(operators.find((one: { email: string }) => one.email === email)).toMatchObject({
      companies: [id],
      locations: [north, south],
    });
    await change(email, { scope: 'some', companies: [id] });
    const after = demand(200, await service.operator('get', '/operators')).operators;
    expect(after.find((one: { email: string }) => one.email === email)).toMatchObject({
      companies: [id],
      locations: null,
    });
  });

  it('of sites keep the sites where another right is changed', async () => {
    const { id } = await service.company();
    const north = await locationOf(id, 'North');
    const body = { email: 'kay@example.com', password: PASSWORD, role: 'auditor', locations: [north] };
    demand(201, await service.operator('post', '/operators', body));
    await change(body.email, { role: 'manager' });
    const { operators } = demand(200, await service.operator('get', '/operators'));
    expect(operators.find((one: { email: string }) => one.email === body.email)).toMatchObject({
      role: 'manager',
      companies: null,
      locations: [north],
    });
  });

  it('of sites are no admins, and have at least one', async () => {
    const { id } = await service.company();
    const north = await locationOf(id, 'North');
    await admin.visit('/dashboard/operators');
    const typed = { email: 'may@example.com', role: 'admin', scope: 'sites' };
    await admin.submit('operator', typed);
    expect(admin.text).toContain('Select at least one site.');
    await admin.submit('operator', { ...typed, locations: [`${id}/${north}`] });
    expect(admin.text).toContain('must be auditor or manager for an operator of some locations.');
  });

  it('keep their companies where all are unticked', async () => {
    const { id } = await service.company();
    const email = 'kim@example.com';
    const body = { email, password: PASSWORD, role: 'auditor', companies: [id] };
    const { operator_id } = demand(201, await service.operator('post', '/operators', body));
    const form = `operator-${operator_id}`;
    await change(email, { companies: '' });
    expect(admin.shown.status).toBe(422);
    expect(admin.text).toContain('Select at least one company.');
    await admin.submit(form, { companies: ['none'] });
    expect(admin.text).toContain('“Selected companies” must be a company.');
  });

  it('are changed in what was changed alone, whatever another admin has changed meanwhile', async () => {
    const { id } = await service.company();
    const email = 'cy@example.com';
    const body = { email, password: PASSWORD, role: 'auditor', companies: [id] };
    const { operator_id } = demand(201, await service.operator('post', '/operators', body));
    const path = `/operators/${operator_id}`;
    const drawer = `/dashboard/operators?change=${operator_id}`;
    await admin.visit(drawer);
    demand(200, await service.operator('patch', path, { companies: null }));
    await admin.submit(`operator-${operator_id}`, { role: 'manager' });
    const { operators } = demand(200, await service.operator('get', '/operators'));
    const cy = operators.find((one: { email: string }) => one.email === email);
    expect(cy).toMatchObject({ role: 'manager', companies: null });
    await admin.visit(drawer);
    demand(200, await service.operator('patch', path, { role: 'admin' }));
    await admin.submit(`operator-${operator_id}`, { scope: 'some', companies: [id] });
    expect(admin.text).toContain('The operator is saved.');
    const after = demand(200, await service.operator('get', '/operators')).operators;
    expect(after.find((one: { email: string }) => one.email === email)).toMatchObject({
      role: 'admin',
      companies: [id],
    });
  });

  it('keep one admin of all companies', async () => {
    await admin.visit('/dashboard/operators');
    await admin.submit(`remove-${await idOf('ada@example.com')}`);
    expect(admin.shown.status).toBe(409);
    expect(admin.text).toContain('There must be an admin of all companies who can sign in.');
  });

  it('get a link that is shown once, replaced by a new one, and withdrawn', async () => {
    const email = 'mei@example.com';
    await admin.visit('/dashboard/operators');
    await admin.submit('operator', { email, scope: 'all' });
    expect(admin.shown.status).toBe(201);
    const [first] = /\/dashboard\/join\/[\w-]+/.exec(admin.html)!;
    await admin.visit('/dashboard/operators');
    expect(admin.html).not.toContain('/dashboard/join/');
    await admin.submit(`invitation-${await idOf(email)}`);
    const [second] = /\/dashboard\/join\/[\w-]+/.exec(admin.html)!;
    const mei = new Visitor(service);
    expect((await mei.visit(first)).status).toBe(404);
    expect((await mei.visit(second)).status).toBe(200);
    await admin.submit(`withdraw-${await idOf(email)}`);
    expect(admin.text).toContain('The link does not work any more.');
    expect((await mei.visit(second)).status).toBe(404);
    expect(rowOf(email)).toContain('Invited, there is no link any more');
  });

  it('are listed by role, and those who have not come yet apart', async () => {
    const email = 'una@example.com';
    await admin.visit('/dashboard/operators');
    await admin.submit('operator', { email, role: 'manager', scope: 'all' });
    await admin.visit('/dashboard/operators?role=auditor');
    expect(rowOf(email)).toBe('');
    for (const role of ['manager', 'invited']) {
      await admin.visit(`/dashboard/operators?role=${role}`);
      expect(rowOf(email)).toContain('Password, not chosen yet');
      expect(rowOf('ada@example.com')).toBe('');
    }
    expect(admin.links).toContain('/dashboard/operators/operators.csv?role=invited');
  });

  it('are signed out everywhere by an admin, and may sign in again', async () => {
    const email = 'out@example.com';
    await service.addOperator({ email, password: PASSWORD, role: 'manager' });
    const out = await Visitor.signedIn(service, email, PASSWORD);
    await admin.visit('/dashboard/operators');
    expect(rowOf(email)).toContain('Today');
    await admin.submit(`sessions-${await idOf(email)}`);
    expect(admin.text).toContain('Every session of theirs is ended.');
    expect((await out.visit('/dashboard')).path).toContain('/dashboard/sign-in');
    expect((await Visitor.signedIn(service, email, PASSWORD)).shown.path).toBe('/dashboard');
  });
});

describe('in production without PUBLIC_URL, on this machine', () => {
  it('an operator is not added: the page says what to set', async () => {
    const production = { NODE_ENV: 'production', KEY_MASTER_SECRET: 'a master secret for tests, 32 or more' };
    const other = await Service.start({ environment: { ...production, SMS_PROVIDER: 'outbox' } });
    const page = await Visitor.signedIn(other);
    await page.visit('/dashboard/operators');
    await page.submit('operator', { email: 'lin@example.com', scope: 'all' });
    expect(page.shown.status).toBe(409);
    expect(page.text).toContain('PUBLIC_URL');
    const { operators } = demand(200, await other.operator('get', '/operators'));
    expect(operators).toHaveLength(1);
    await other.close();
  });
});
