import { ManualClock } from '../support/manual-clock.js';
import { demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

const PASSWORD = 'a password that mei has chosen';
const OVER = 'This link does not work any more';

let service: Service;
let people = 0;
const clock = new ManualClock();

beforeAll(async () => {
  service = await Service.start({ clock });
});
// Wrong links are counted by the minute.
afterEach(() => clock.advance(60_000));
afterAll(() => service.close());

interface Invited {
  readonly operator_id: string;
  readonly email: string;
  /** Of the link. */
  readonly path: string;
}

async function invite(body: object = {}): Promise<Invited> {
  const email = `mei-${++people}@example.com`;
  const answer = await service.operator('post', '/operators', { email, role: 'manager', ...body });
  const { operator_id, invitation } = demand(201, answer);
  return { operator_id, email, path: new URL(invitation.url).pathname };
}

async function newLink(operator_id: string): Promise<string> {
  const answer = await service.operator('post', `/operators/${operator_id}/invitation`);
  return new URL(demand(201, answer).invitation.url).pathname;
}

const signIn = (email: string, password: string) => Visitor.signedIn(service, email, password);
const stranger = () => new Visitor(service);

async function join(path: string, password = PASSWORD): Promise<Visitor> {
  const visitor = stranger();
  await visitor.visit(path);
  await visitor.submit('join', { password });
  return visitor;
}

describe('an invitation', () => {
  it('lets its operator choose a password and sign in with it', async () => {
    const { email, path } = await invite();
    const visitor = await join(path);
    expect(visitor.shown).toMatchObject({ status: 200, path: '/dashboard/sign-in?done=joined' });
    expect(visitor.text).toContain('Your password is set. Sign in.');
    const mei = await signIn(email, PASSWORD);
    expect(mei.shown.path).not.toContain('sign-in');
  });

  it('is not spent by opening it', async () => {
    const { email, path } = await invite();
    for (let opened = 0; opened < 3; opened++) {
      const visitor = stranger();
      await visitor.visit(path);
      expect(visitor.text).toContain(`For ${email}`);
    }
    expect((await join(path)).text).toContain('Your password is set.');
  });

  it('works once', async () => {
    const { path, email } = await invite();
    const second = stranger();
    await second.visit(path);
    await join(path);
    await second.submit('join', { password: 'another password of somebody' });
    expect(second.shown.status).toBe(404);
    expect(second.text).toContain(OVER);
    expect((await signIn(email, 'another password of somebody')).shown.status).toBe(401);
  });

  it('works for one of two who use it at once', async () => {
    const { path } = await invite();
    const visitors = [stranger(), stranger()];
    for (const visitor of visitors) await visitor.visit(path);
    await Promise.all(visitors.map((visitor) => visitor.submit('join', { password: PASSWORD })));
    expect(visitors.map(({ shown }) => shown.status).sort()).toEqual([200, 404]);
  });

  it('tells no other site its address, and is kept by no cache', async () => {
    const { path } = await invite();
    const visitor = stranger();
    await visitor.visit(path);
    expect(visitor.shown.headers['referrer-policy']).toBe('no-referrer');
    expect(visitor.shown.headers['cache-control']).toContain('no-store');
  });

  it('is used from a browser that sends no origin, because the page has no referrer', async () => {
    const { path, email } = await invite();
    const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, {
      method: 'post',
      body: new URLSearchParams({ password: PASSWORD }),
      redirect: 'manual',
      headers: { Origin: 'null' },
    });
    expect(answer.status).toBe(303);
    expect((await signIn(email, PASSWORD)).shown.status).toBe(200);
  });

  it('keeps its link where the password is easily guessed, and says why', async () => {
    const { path } = await invite();
    const visitor = await join(path, 'password1234');
    expect(visitor.shown.status).toBe(422);
    expect(visitor.text).toContain('must not be common or easily guessed');
    expect(visitor.html).not.toContain('password1234');
    clock.advance(250);
    await visitor.submit('join', { password: PASSWORD });
    expect(visitor.text).toContain('Your password is set.');
  });

  it.each<[string, (invited: Invited) => Promise<unknown>]>([
    ['withdrawn', ({ operator_id }) => service.operator('delete', `/operators/${operator_id}/invitation`)],
    ['replaced', ({ operator_id }) => newLink(operator_id)],
    [
      'made before another e-mail',
      ({ operator_id, email }) =>
        service.operator('patch', `/operators/${operator_id}`, { email: `new-${email}` }),
    ],
    [
      'made before another role',
      ({ operator_id }) => service.operator('patch', `/operators/${operator_id}`, { role: 'auditor' }),
    ],
    [
      'of one who is disabled',
      ({ operator_id }) => service.operator('patch', `/operators/${operator_id}`, { disabled: true }),
    ],
    ['of one who is removed', ({ operator_id }) => service.operator('delete', `/operators/${operator_id}`)],
  ])('does not work once %s', async (_, change) => {
    const invited = await invite();
    const visitor = stranger();
    await visitor.visit(invited.path);
    const answer = (await change(invited)) as { status?: number };
    if (answer.status !== undefined) expect(answer.status).toBe(200);
    await visitor.submit('join', { password: PASSWORD });
    expect(visitor.text).toContain(OVER);
    await visitor.visit(invited.path);
    expect(visitor.shown.status).toBe(404);
  });

  it('sets a password anew, ends every session, and leaves the one before until then', async () => {
    const { email, path, operator_id } = await invite();
    await join(path);
    const mei = await signIn(email, PASSWORD);
    const link = await newLink(operator_id);
    await mei.visit('/dashboard/account');
    expect(mei.shown.path).toBe('/dashboard/account');
    await join(link, 'quite another password of mei');
    await mei.visit('/dashboard/account');
    expect(mei.shown.path).toContain('/dashboard/sign-in');
    expect((await signIn(email, PASSWORD)).shown.status).toBe(401);
    expect((await signIn(email, 'quite another password of mei')).shown.status).toBe(200);
  });

  it.each([
    ['of nobody', 'x'],
    ['with the id of an operator and a made-up end', `${'0'.repeat(26)}-${'x'.repeat(43)}`],
    ['of a thousand characters', 'x'.repeat(1_000)],
    ['with characters that no link has', '%00%0a..%2f'],
  ])('that is made up does not work: %s', async (_, token) => {
    const visitor = stranger();
    await visitor.visit(`/dashboard/join/${token}`);
    expect(visitor.shown.status).toBe(404);
  });

  it('cannot be guessed at any pace, and works beside those who try', async () => {
    const { email, path } = await invite();
    const statuses: number[] = [];
    for (let tried = 0; tried < 21; tried++) {
      const visitor = stranger();
      await visitor.visit(`/dashboard/join/wrong-${tried}`);
      statuses.push(visitor.shown.status);
    }
    expect(statuses).toEqual([...Array<number>(20).fill(404), 429]);
    await join(path);
    expect((await signIn(email, PASSWORD)).shown.status).toBe(200);
  });
});
