import request from 'supertest';
import { OperatorInvitations, Operators } from '#domain/operators/index.js';
import { operatorStream } from '#domain/operators/core/operator.events.js';
import { type OperatorService, someBrowser, startOperatorService } from './operator-service.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const MEI = { email: 'mei@example.com', role: 'manager' };

let service: OperatorService;
let first: string;
beforeEach(async () => {
  service = await startOperatorService();
  first = (await service.call('get', '/session')).body.data.operator_id as string;
});
afterEach(() => service.stop());

interface Invitation {
  readonly operator_id: string;
  readonly invitation: { readonly url: string; readonly expires_at: string };
}

async function invite(body: object = {}): Promise<Invitation> {
  const answer = await service.call('post', '/operators', { ...MEI, ...body });
  expect(answer.status).toBe(201);
  return answer.body.data as Invitation;
}

const tokenIn = ({ invitation }: Invitation) => invitation.url.split('/').at(-1)!;

const accept = (token: string) =>
  service.application
    .get(OperatorInvitations)
    .acceptWithPassword(token, 'a password that mei has chosen', someBrowser(service.ids));

describe('an operator without a password', () => {
  it('is answered with a link of seven days, which is shown only here', async () => {
    const { invitation, ...mei } = await invite();
    const expires_at = new Date(service.clock.now() + 7 * DAY_MS).toISOString();
    expect(invitation.expires_at).toBe(expires_at);
    expect(invitation.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/dashboard\/join\/[\w-]{70}$/);
    const listed = await service.call('get', '/operators');
    expect(listed.body.data.operators[1]).toEqual({
      ...mei,
      password: 'missing',
      invited_until: expires_at,
      last_seen_at: null,
    });
    expect(listed.text).not.toContain(tokenIn({ ...mei, invitation }));
  });

  it('has a link with the address that PUBLIC_URL names', async () => {
    const public_url = 'https://access.example';
    const other = await startOperatorService(service, undefined, { PUBLIC_URL: public_url });
    const answer = await other.call('post', '/operators', MEI);
    expect(answer.body.data.invitation.url).toMatch(/^https:\/\/access\.example\/dashboard\/join\//);
    await other.stop();
  });

  it('is not added in production where a link would lead to this machine alone', async () => {
    const secret = { KEY_MASTER_SECRET: 'a master secret for tests, 32 or more', SMS_PROVIDER: 'outbox' };
    const other = await startOperatorService(service, undefined, { NODE_ENV: 'production', ...secret });
    const refused = await other.call('post', '/operators', MEI);
    expect([refused.status, refused.body.code]).toEqual([409, 'public_url_required']);
    expect(refused.body.message).toContain('PUBLIC_URL');
    const typed = await other.call('post', '/operators', { ...MEI, password: 'a password typed for mei' });
    expect([typed.status, typed.body.data.invitation]).toEqual([201, null]);
    await other.stop();
  });

  it('cannot sign in before the link is used', async () => {
    await invite();
    for (const password of ['', 'nobody', 'null']) {
      const answer = await request(service.server)
        .post('/api/operator/sessions')
        .send({ email: MEI.email, password });
      expect([401, 422]).toContain(answer.status);
    }
  });

  it('is refused while disabled, because a link of theirs would not work', async () => {
    const answer = await service.call('post', '/operators', { ...MEI, disabled: true });
    expect([answer.status, answer.body.code]).toEqual([409, 'operator_disabled']);
    const { operator_id } = await invite();
    await service.call('patch', `/operators/${operator_id}`, { disabled: true });
    const again = await service.call('post', `/operators/${operator_id}/invitation`);
    expect([again.status, again.body.code]).toEqual([409, 'operator_disabled']);
  });

  it('who is an admin does not count as the last one', async () => {
    await invite({ role: 'admin' });
    expect((await service.call('delete', `/operators/${first}`)).body.code).toBe('last_admin');
    expect((await service.call('patch', `/operators/${first}`, { role: 'manager' })).body.code).toBe(
      'last_admin',
    );
  });

  it('counts as an admin once the link is used', async () => {
    const invited = await invite({ role: 'admin' });
    await accept(tokenIn(invited));
    expect((await service.call('patch', `/operators/${first}`, { role: 'manager' })).status).toBe(200);
  });
});

describe('an invitation', () => {
  it('expires after seven days', async () => {
    const invited = await invite();
    service.clock.advance(7 * DAY_MS - 1);
    const invitations = service.application.get(OperatorInvitations);
    expect((await invitations.read(tokenIn(invited), someBrowser(service.ids))).email).toBe(MEI.email);
    service.clock.advance(1);
    await expect(accept(tokenIn(invited))).rejects.toMatchObject({ code: 'invitation_invalid' });
  });

  it('leaves events that hold no address and no token', async () => {
    const invited = await invite();
    await service.call('post', `/operators/${invited.operator_id}/invitation`);
    await service.call('delete', `/operators/${invited.operator_id}/invitation`);
    const renewed = await service.call('post', `/operators/${invited.operator_id}/invitation`);
    await accept(tokenIn(renewed.body.data as Invitation));
    const events = await service.events.readStream(operatorStream(invited.operator_id));
    expect(events.map(({ type }) => type)).toEqual([
      'OperatorAdded',
      'OperatorInvited',
      'OperatorInvited',
      'OperatorInvitationWithdrawn',
      'OperatorInvited',
      'OperatorInvitationAccepted',
      'OperatorSessionsEnded',
    ]);
    const stored = JSON.stringify(events.map(({ data }) => data));
    expect(stored).not.toContain(tokenIn(invited));
    expect(stored).not.toContain('mei@');
    expect(events[5]!.metadata.actor).toEqual({ kind: 'operator', id: invited.operator_id });
  });

  it('is told once under a key, and said to be gone in the kept answer', async () => {
    const send = () => service.call('post', '/operators', MEI).set('Idempotency-Key', 'invite mei');
    const { body } = await send();
    const again = await send();
    expect(again.body.data).toEqual({ ...body.data, invitation: null });
    expect(again.body.message).toContain('The invitation was only in the first answer.');
  });

  it('is not said to be gone where a password was typed', async () => {
    const typed = { ...MEI, password: 'mei has a password' };
    const send = () => service.call('post', '/operators', typed).set('Idempotency-Key', 'add mei');
    const { body } = await send();
    expect(body.data.invitation).toBeNull();
    expect((await send()).body).toEqual(body);
  });

  it('is made by an admin alone, and by one of companies for operators of these alone', async () => {
    const company = await service.call('post', '/companies', { name: 'Acme' });
    const companies = [company.body.data.company_id as string];
    const boss = await invite({ email: 'boss@example.com', role: 'admin', companies });
    await accept(tokenIn(boss));
    const { body } = await request(service.server)
      .post('/api/operator/sessions')
      .send({ email: 'boss@example.com', password: 'a password that mei has chosen' });
    const asBoss = (path: string, sent: object = {}) =>
      request(service.server)
        .post(`/api/operator${path}`)
        .set('Authorization', `Bearer ${body.data.token as string}`)
        .send(sent);
    expect((await asBoss(`/operators/${first}/invitation`)).status).toBe(404);
    expect((await asBoss('/operators', MEI)).status).toBe(422);
    expect((await asBoss('/operators', { ...MEI, companies })).status).toBe(201);
  });

  it('has a link that is stored as a hash alone', async () => {
    const invited = await invite();
    const operator = await service.application.get(Operators).byId(invited.operator_id);
    expect(JSON.stringify(operator)).not.toContain(tokenIn(invited).slice(27));
  });
});
