import { Service } from '../support/service.js';
import { routesOf } from '../system/isolation/support/routes.js';
import { Visitor } from './support/visitor.js';

const EMAIL = 'bob@example.com';
const GIVEN = 'a password that ada has typed';
const OWN = 'a password that bob has chosen';
const PATH = '/dashboard/account/password';

let service: Service;
let operator_id: string;
beforeEach(async () => {
  service = await Service.start();
  const bob = { email: EMAIL, password: GIVEN, role: 'admin' };
  operator_id = (await service.operator('post', '/operators', bob)).body.data.operator_id;
});
afterEach(() => service.close());

const sessions = (password: string) =>
  service.call('post', '/api/operator/sessions', { body: { email: EMAIL, password } });
const tokenOf = async (password: string) => (await sessions(password)).body.data.token as string;

describe('a password that somebody else typed', () => {
  it('opens nothing but its own change: of every route of the API and the dashboard', async () => {
    const token = await tokenOf(GIVEN);
    const admitted: string[] = [];
    const { routes, pages } = routesOf(service.application);
    for (const route of [...routes, ...pages].filter((one) => one.admitted.includes('operator'))) {
      if (route.name === 'DELETE /api/operator/sessions' || route.name === 'POST /dashboard/sign-out')
        continue;
      const path = route.name.split(' ')[1]!.replaceAll(/:\w+/g, '01JAAAAAAAAAAAAAAAAAAAAAAA');
      const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, {
        method: route.method.toUpperCase(),
        redirect: 'manual',
        headers: {
          ...(path.startsWith('/api')
            ? { Authorization: `Bearer ${token}` }
            : { Cookie: `operator_session=${token}`, 'Content-Type': 'application/x-www-form-urlencoded' }),
          'Sec-Fetch-Site': 'same-origin',
        },
      });
      const code = path.startsWith('/api') ? ((await answer.json()) as { code?: string }).code : undefined;
      const isRefused =
        code === 'password_change_required' ||
        (answer.status === 303 && answer.headers.get('location') === PATH);
      if (!isRefused) admitted.push(route.name);
    }
    expect(admitted.sort()).toEqual([
      'GET /api/operator/session',
      'GET /dashboard/account/password',
      'PATCH /api/operator/session/password',
      'POST /dashboard/account/password',
    ]);
  });

  it('is changed on a page that shows nothing else, and opens everything then', async () => {
    const bob = await Visitor.signedIn(service, EMAIL, GIVEN);
    expect(bob.shown).toMatchObject({ path: PATH, status: 200 });
    expect(bob.text).toContain('Choose a password of your own');
    expect(bob.links).not.toContain('/dashboard/audit');
    await bob.submit('password', { current: GIVEN, next: OWN });
    expect(bob.shown.path).toBe('/dashboard/sign-in?done=password');
    expect((await Visitor.signedIn(service, EMAIL, OWN)).shown.path).toBe('/dashboard');
  });

  it('is changed by an operator of sites, too', async () => {
    const company = await service.company({ pms_location_code: 'NORTH' });
    const mia = { email: 'mia@example.com', password: GIVEN, role: 'manager' };
    const locations = [company.locations.get('NORTH')!];
    const added = await service.operator('post', '/operators', { ...mia, locations });
    expect(added.status).toBe(201);
    const visitor = await Visitor.signedIn(service, mia.email, GIVEN);
    await visitor.submit('password', { current: GIVEN, next: OWN });
    expect(visitor.shown.path).toBe('/dashboard/sign-in?done=password');
  });

  it('is not changed into itself', async () => {
    const bob = await Visitor.signedIn(service, EMAIL, GIVEN);
    await bob.submit('password', { current: GIVEN, next: GIVEN });
    expect(bob.shown.status).toBe(422);
    expect(bob.text).toContain('must differ from the current password');
    const token = await tokenOf(GIVEN);
    expect((await service.call('get', '/api/operator/companies', { token })).status).toBe(403);
  });

  it('comes back with every reset by an admin, and not with a change of one’s own', async () => {
    const stateOf = async () => {
      const { operators } = (await service.operator('get', '/operators')).body.data;
      return operators.find((one: { email: string }) => one.email === EMAIL).password as string;
    };
    const body = { current: GIVEN, next: OWN };
    await service.call('patch', '/api/operator/session/password', { token: await tokenOf(GIVEN), body });
    expect(await stateOf()).toBe('chosen');
    await service.operator('patch', `/operators/${operator_id}`, { role: 'manager' });
    expect(await stateOf()).toBe('chosen');
    await service.operator('patch', `/operators/${operator_id}`, { password: GIVEN });
    expect(await stateOf()).toBe('given');
    await service.operator('patch', `/operators/${operator_id}`, { role: 'admin' });
    expect(await stateOf()).toBe('given');
  });

  it('is asked for before the second factor that everybody needs', async () => {
    await service.close();
    service = await Service.start({ environment: { OPERATOR_REQUIRE_TOTP: 'true' } });
    // Nobody may add operators before they have set a factor: the session is opened beside the sign-in.
    const { Operators, OperatorSessions, OperatorAdministration } =
      await import('#domain/operators/index.js');
    const bob = {
      email: EMAIL,
      password: GIVEN,
      role: 'admin',
      companies: null,
      sites: null,
      disabled: false,
    };
    const command_id = 'test';
    const actor = { kind: 'system', id: 'test' } as const;
    const context = { command_id, request_id: command_id, actor, recovering: false };
    await service.part(OperatorAdministration).add({ ...bob, role: 'admin' }, { author: 'system', context });
    const record = await service.part(Operators).byEmail(EMAIL);
    const { token } = await service.part(OperatorSessions).open(record!);
    const refusals = ['/companies', '/session/second-factor'].map(async (path) => {
      const answer = await service.call('get', `/api/operator${path}`, { token });
      return answer.body.code as string;
    });
    expect(await Promise.all(refusals)).toEqual(['password_change_required', 'password_change_required']);
    const body = { current: GIVEN, next: OWN };
    const changed = await service.call('patch', '/api/operator/session/password', { token, body });
    expect(changed.status).toBe(200);
    const own = await tokenOf(OWN);
    const answer = await service.call('get', '/api/operator/companies', { token: own });
    expect(answer.body.code).toBe('second_factor_required');
  });
});

describe('the password of the environment', () => {
  it('needs no change', async () => {
    expect((await service.operator('get', '/session')).body.data.password).toBe('chosen');
    expect((await service.operator('get', '/companies')).status).toBe(200);
  });
});
