import { demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

const PASSWORD = 'correct horse battery staple';

let service: Service;
let admin: Visitor;

beforeAll(async () => {
  service = await Service.start();
  admin = await Visitor.signedIn(service);
});
afterAll(() => service.close());

async function idOf(email: string): Promise<string> {
  const { operators } = demand(200, await service.operator('get', '/operators'));
  return operators.find((one: { email: string }) => one.email === email)?.operator_id;
}

describe('operators', () => {
  it('are added, changed and removed', async () => {
    const { id } = await service.company();
    const email = 'bo@example.com';
    await admin.visit('/dashboard/operators');
    await admin.submit('operator', {
      email,
      password: 'short',
      role: 'auditor',
      scope: 'some',
      companies: [id],
    });
    expect(admin.shown.status).toBe(422);
    expect(admin.form('operator').values).toMatchObject({
      email,
      scope: 'some',
      companies: id,
      password: '',
    });
    await admin.submit('operator', { password: PASSWORD });
    expect(admin.text).toContain('The operator is added, and can sign in.');
    expect(admin.text).toContain('Of Park Storage');
    const bo = await Visitor.signedIn(service, email);
    expect((await bo.visit('/dashboard/operators')).status).toBe(403);
    expect((await bo.visit('/dashboard')).status).toBe(200);
    expect(bo.links).not.toContain('/dashboard/operators');

    const form = `operator-${await idOf(email)}`;
    await admin.submit(form, { role: 'manager', scope: 'all' });
    expect(admin.text).toContain('Of all companies');
    await admin.submit(form, { disabled: ['false', 'true'] });
    expect(admin.text).toContain('Disabled: cannot sign in');
    expect((await bo.visit('/dashboard')).path).toContain('/dashboard/sign-in');
    await admin.submit(`remove-${await idOf(email)}`);
    expect(admin.text).toContain('The operator is removed, and every session of theirs is ended.');
    expect(await idOf(email)).toBeUndefined();
  });

  it('of some companies are given to none by leaving all unticked', async () => {
    const { id } = await service.company();
    await Visitor.of(service, 'auditor', [id]);
    await admin.visit('/dashboard/operators');
    const form = admin.forms.find(
      (one) => one.startsWith('operator-') && admin.form(one).values['scope'] === 'some',
    )!;
    await admin.submit(form, { companies: [] });
    expect(admin.shown.status).toBe(422);
    expect(admin.text).toContain('“Companies” must have between 1 and 1000 entries.');
    await admin.submit(form, { companies: ['none'] });
    expect(admin.text).toContain('“Companies” must be a company.');
    const nobody = { email: 'eve@example.com', password: PASSWORD, scope: 'some' };
    await admin.submit('operator', nobody);
    expect(admin.text).toContain('“Companies” must have between 1 and 1000 entries.');
  });

  it('are changed in what was changed alone, whatever another admin has changed meanwhile', async () => {
    const { id } = await service.company();
    const email = 'cy@example.com';
    const body = { email, password: PASSWORD, role: 'auditor', companies: [id] };
    const { operator_id } = demand(201, await service.operator('post', '/operators', body));
    const path = `/operators/${operator_id}`;
    await admin.visit('/dashboard/operators');
    demand(200, await service.operator('patch', path, { companies: null }));
    await admin.submit(`operator-${operator_id}`, { role: 'manager' });
    const { operators } = demand(200, await service.operator('get', '/operators'));
    const cy = operators.find((one: { email: string }) => one.email === email);
    expect(cy).toMatchObject({ role: 'manager', companies: null });
    await admin.visit('/dashboard/operators');
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
    expect(admin.text).toContain('There must be an admin of all companies.');
  });
});
