import { systemIds } from '#kernel/ids.js';
import { OperatorAdministration, Operators } from '#domain/operators/index.js';
import { SignOnLinks } from '#domain/sign-on/index.js';
import { demand, Service } from '../support/service.js';
import { signInAtProvider, TestIdentityProvider } from '../support/identity-provider.js';
import { ManualClock } from '../support/manual-clock.js';
import { Visitor } from './support/visitor.js';

const PASSWORD = 'correct horse battery staple';
const LABEL = 'Evergreen ID';
const BUTTON = `Sign in with ${LABEL}`;
const CALLBACK = '/dashboard/sign-on/callback';

let provider: TestIdentityProvider;
let service: Service;

async function start(environment: Record<string, string> = {}): Promise<void> {
  // The tokens of the provider are of now.
  const clock = new ManualClock(new Date().valueOf());
  service = await Service.start({
    clock,
    environment: { ...provider.environment, OIDC_LABEL: LABEL, ...environment },
  });
  await provider.trust(origin());
}

const origin = () => `http://127.0.0.1:${service.port}`;

beforeEach(async () => {
  provider = await TestIdentityProvider.start();
});
afterEach(async () => {
  await service.close();
  await provider.close();
});

interface Person {
  readonly operator_id: string;
  readonly email: string;
}

/** An operator with a password that an admin typed. */
async function addOperator(): Promise<Person> {
  const email = `${Math.random().toString(36).slice(2)}@example.com`;
  const body = { email, password: PASSWORD, role: 'manager' };
  const answer = await service.operator('post', '/operators', body);
  return { operator_id: demand(201, answer).operator_id, email };
}

async function linked(subject = provider.person.sub): Promise<Person> {
  const person = await addOperator();
  demand(200, await service.operator('put', `/operators/${person.operator_id}/sign-on`, { subject }));
  return person;
}

/** Goes to the provider, signs in there, and comes back to the callback. */
async function atProvider(visitor: Visitor, path = '/dashboard/sign-on'): Promise<URL> {
  const { status, headers } = await visitor.visit(path);
  expect(status).toBe(303);
  return signInAtProvider(provider, headers['location'] as string);
}

/** A whole sign-on. */
async function signOn(visitor = new Visitor(service), path?: string): Promise<Visitor> {
  const back = await atProvider(visitor, path);
  await visitor.visit(back.pathname + back.search);
  await visitor.follow();
  return visitor;
}

async function refusal(visitor: Promise<Visitor> | Visitor): Promise<[number, string]> {
  const { shown, text } = await visitor;
  return [
    shown.status,
    /\S.*?(?= Sign in with Evergreen ID (?:or|Sign))/.exec(text.replace(/^.*To Storage Access/, ''))?.[0] ??
      text,
  ];
}

const eventsOf = async ({ operator_id }: Person) => {
  const events = await service.events(`operator-${operator_id}`);
  return events.map(({ type, data }) => [type, data] as const);
};

const typesOf = async (person: Person) => (await eventsOf(person)).map(([type]) => type);

describe('without a provider', () => {
  it('nothing of single sign-on is there', async () => {
    service = await Service.start();
    const visitor = new Visitor(service);
    await visitor.visit('/dashboard/sign-in');
    expect(visitor.text).not.toContain('Sign in with');
    for (const path of ['', '/callback', '/finish'])
      expect((await visitor.visit(`/dashboard/sign-on${path}`)).status).toBe(404);
    const { operator_id } = await addOperator();
    const answer = await service.operator('put', `/operators/${operator_id}/sign-on`, { subject: 'ada' });
    expect([answer.status, answer.body.code]).toEqual([409, 'sign_on_off']);
  });
});

describe('the sign-in page', () => {
  it('offers the provider above the password, and leads back to the page that asked', async () => {
    await start();
    await linked();
    const visitor = new Visitor(service);
    await visitor.visit('/dashboard/account?x=1');
    expect(visitor.text).toContain(`${BUTTON} or with a password`);
    const button = visitor.links.find((href) => href.startsWith('/dashboard/sign-on'))!;
    await signOn(visitor, button);
    expect([visitor.shown.status, visitor.shown.path]).toEqual([200, '/dashboard/account?x=1']);
  });

  it.each([
    '//evil.example',
    'https://evil.example/dashboard',
    '/dashboard/\\evil',
    '/api/v2',
    'javascript:alert(1)',
  ])('leads nowhere but to the dashboard: not to %s', async (next) => {
    await start();
    await linked();
    const visitor = await signOn(new Visitor(service), `/dashboard/sign-on?next=${encodeURIComponent(next)}`);
    expect([visitor.shown.status, visitor.shown.path]).toEqual([200, '/dashboard']);
  });

  it('says that the provider does not answer, and passwords go on', async () => {
    await start();
    const email = 'bo@example.com';
    await service.addOperator({ email, password: PASSWORD, role: 'manager' });
    provider.state = 'down';
    const visitor = new Visitor(service);
    await visitor.visit('/dashboard/sign-on?next=%2Fdashboard%2Faccount');
    expect(await refusal(visitor)).toEqual([
      503,
      `${LABEL} does not answer. Try again shortly, or sign in with a password.`,
    ]);
    await visitor.submit('sign-in', { email, password: PASSWORD });
    expect(visitor.shown.path).toBe('/dashboard/account');
    provider.state = 'up';
    await linked();
    expect((await signOn()).shown.path).toBe('/dashboard');
  });

  it('says that the provider went away while somebody was there', async () => {
    await start();
    await linked();
    const visitor = new Visitor(service);
    const back = await atProvider(visitor);
    provider.state = 'failing';
    await visitor.visit(back.pathname + back.search);
    await visitor.follow();
    expect((await refusal(visitor))[0]).toBe(503);
  });
});

describe('a linked person', () => {
  it('is signed in, which leaves an event without the subject', async () => {
    await start();
    const person = await linked();
    const visitor = await signOn();
    expect(visitor.shown.path).toBe('/dashboard');
    await visitor.visit('/dashboard/account');
    expect(visitor.text).toContain(person.email);
    expect((await eventsOf(person)).slice(1)).toEqual([
      ['OperatorSignOnLinked', { issuer: provider.issuer, subject_sha256: expect.any(String), by: 'admin' }],
      ['OperatorSessionsEnded', {}],
      ['OperatorSignedOn', { subject_sha256: expect.any(String), second_factor: false }],
    ]);
    const log = (await service.wholeLog()).map(({ data }) => data);
    expect(JSON.stringify(log)).not.toContain(provider.person.sub);
  });

  it('is let in although keys of the provider were changed meanwhile', async () => {
    await start();
    await linked();
    await signOn();
    await provider.rotateKeys();
    expect((await signOn()).shown.path).toBe('/dashboard');
  });

  it('signs in with another e-mail at the provider, too', async () => {
    await start();
    await linked();
    provider.person = { ...provider.person, email: 'other@example.com' };
    expect((await signOn()).shown.path).toBe('/dashboard');
  });

  it('is not let in while the operator is disabled, and that is noted', async () => {
    await start();
    const person = await linked();
    demand(200, await service.operator('patch', `/operators/${person.operator_id}`, { disabled: true }));
    expect(await refusal(signOn())).toEqual([403, 'Your account here is disabled. Ask an admin.']);
    expect((await eventsOf(person)).at(-1)).toEqual(['OperatorSignOnRefused', { reason: 'disabled' }]);
  });

  it('is not let in any more after an admin removed the link, and the session has ended', async () => {
    await start();
    const person = await linked();
    const visitor = await signOn();
    const answer = await service.operator('delete', `/operators/${person.operator_id}/sign-on`);
    expect(demand(200, answer).sign_on).toBeNull();
    await visitor.visit('/dashboard/account');
    expect(visitor.shown.path).toContain('/dashboard/sign-in');
    expect(await refusal(signOn())).toEqual([
      403,
      `Nobody here is linked to your account at ${LABEL}. Ask an admin for an invitation.`,
    ]);
  });

  it('is linked to one operator alone', async () => {
    await start();
    const subject = provider.person.sub;
    await linked(subject);
    const { operator_id } = await addOperator();
    const answer = await service.operator('put', `/operators/${operator_id}/sign-on`, { subject });
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      { subject: ['The subject has already been taken.'] },
    ]);
  });

  it('stays linked after the service was started anew', async () => {
    await start();
    await linked();
    await service.restart();
    await provider.trust(origin());
    expect((await signOn()).shown.path).toBe('/dashboard');
  });
});

describe('an invitation', () => {
  const invite = async (body: object = {}) => {
    const email = `${Math.random().toString(36).slice(2)}@example.com`;
    const answer = await service.operator('post', '/operators', { email, role: 'manager', ...body });
    const { operator_id, invitation } = demand(201, answer);
    return { operator_id, email, path: new URL(invitation.url).pathname };
  };

  it('links whoever opens it and signs on there, once', async () => {
    await start();
    const invited = await invite();
    const visitor = new Visitor(service);
    await visitor.visit(invited.path);
    expect(visitor.text).toContain(`${BUTTON} or with a password`);
    const button = visitor.links.find((href) => href.endsWith('/sign-on'))!;
    await signOn(visitor, button);
    expect(visitor.shown.path).toBe('/dashboard');
    expect((await eventsOf(invited)).slice(2)).toEqual([
      [
        'OperatorSignOnLinked',
        { issuer: provider.issuer, subject_sha256: expect.any(String), by: 'invitation' },
      ],
      ['OperatorSessionsEnded', {}],
      ['OperatorSignedOn', { subject_sha256: expect.any(String), second_factor: false }],
    ]);
    expect((await visitor.visit(invited.path)).status).toBe(404);
    expect((await signOn()).shown.path).toBe('/dashboard');
  });

  it.each<[string, (invited: { operator_id: string; email: string }) => Promise<unknown>]>([
    [
      'was withdrawn',
      ({ operator_id }) => service.operator('delete', `/operators/${operator_id}/invitation`),
    ],
    [
      'belongs to another e-mail by now',
      ({ operator_id, email }) =>
        service.operator('patch', `/operators/${operator_id}`, { email: `x${email}` }),
    ],
    [
      'belongs to another role by now',
      ({ operator_id }) => service.operator('patch', `/operators/${operator_id}`, { role: 'auditor' }),
    ],
  ])('that %s while the person was at the provider links nobody', async (_, change) => {
    await start();
    const invited = await invite();
    const visitor = new Visitor(service);
    const back = await atProvider(visitor, `${invited.path}/sign-on`);
    await change(invited);
    await visitor.visit(back.pathname + back.search);
    await visitor.follow();
    expect(await refusal(visitor)).toEqual([
      404,
      'This invitation does not work any more. Ask an admin for a new link.',
    ]);
    expect(await typesOf(invited)).not.toContain('OperatorSignOnLinked');
  });

  it('of one operator is not for a person who is linked to another, and still works', async () => {
    await start();
    await linked();
    const invited = await invite();
    const visitor = await signOn(new Visitor(service), `${invited.path}/sign-on`);
    expect((await refusal(visitor))[1]).toContain('belongs to another operator here');
    expect((await eventsOf(invited)).at(-1)).toEqual([
      'OperatorSignOnRefused',
      { reason: 'belongs_to_other' },
    ]);
    provider.person = { sub: 'the invited one' };
    expect((await signOn(new Visitor(service), `${invited.path}/sign-on`)).shown.path).toBe('/dashboard');
  });

  it('takes no password where passwords are off', async () => {
    await start({ OIDC_ONLY: 'true' });
    await resetFirst();
    const { path: pathname } = await invite();
    const visitor = new Visitor(service);
    await visitor.visit(pathname);
    expect(visitor.forms).toEqual([]);
    await visitor.post(pathname, { password: 'a new and long password' });
    expect(visitor.shown.status).toBe(403);
    expect((await signOn(visitor, `${pathname}/sign-on`)).shown.path).toBe('/dashboard');
  });
});

describe('a sign-on is refused', () => {
  it('for somebody whom no operator is linked to, whatever the e-mail', async () => {
    await start();
    const person = await addOperator();
    provider.person = { sub: 'stranger', email: person.email, email_verified: true };
    expect((await refusal(signOn()))[0]).toBe(403);
    expect(await typesOf(person)).toEqual(['OperatorAdded']);
  });

  it('where it was begun in another browser', async () => {
    await start();
    await linked();
    const back = await atProvider(new Visitor(service));
    const thief = new Visitor(service);
    await thief.visit(back.pathname + back.search);
    await thief.follow();
    expect((await refusal(thief))[1]).toContain('begun in another browser');
    await thief.visit('/dashboard/account');
    expect(thief.shown.path).toContain('/dashboard/sign-in');
  });

  it('where a code is replayed, by this browser or another', async () => {
    await start();
    await linked();
    const visitor = new Visitor(service);
    const back = await atProvider(visitor);
    await visitor.visit(back.pathname + back.search);
    const finish = visitor.refresh;
    await visitor.follow();
    expect(visitor.shown.path).toBe('/dashboard');
    await visitor.visit(finish);
    expect((await refusal(visitor))[1]).toContain('was finished before');
    // In a sign-on of its own, another browser brings the same code.
    const other = new Visitor(service);
    const own = await atProvider(other);
    own.searchParams.set('code', back.searchParams.get('code')!);
    await other.visit(own.pathname + own.search);
    await other.follow();
    expect((await refusal(other))[1]).toContain('could not be verified');
  });

  it('where two requests bring one sign-on at once: one is let in', async () => {
    await start();
    await linked();
    const visitor = new Visitor(service);
    const back = await atProvider(visitor);
    await visitor.visit(back.pathname + back.search);
    const finish = visitor.refresh;
    const Cookie = visitor.cookies;
    const send = () => fetch(`${origin()}${finish}`, { headers: { Cookie }, redirect: 'manual' });
    const statuses = (await Promise.all([send(), send(), send()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([303, 403, 403]);
  });

  it('after ten minutes', async () => {
    await start();
    await linked();
    const visitor = new Visitor(service);
    const back = await atProvider(visitor);
    service.manualClock.advance(10 * 60_000);
    await visitor.visit(back.pathname + back.search);
    await visitor.follow();
    expect((await refusal(visitor))[1]).toContain('took too long');
  });

  it('with a token of another issuer, and nothing of it is in the log', async () => {
    await start();
    const person = await linked();
    provider.changeClaims({ iss: 'https://other.example' });
    expect((await refusal(signOn()))[1]).toContain('could not be verified');
    expect(await typesOf(person)).not.toContain('OperatorSignedOn');
  });

  it('where the person declined, in our words', async () => {
    await start();
    const visitor = new Visitor(service);
    const { headers } = await visitor.visit('/dashboard/sign-on');
    const state = new URL(headers['location'] as string).searchParams.get('state')!;
    const answer = {
      error: 'access_denied',
      error_description: '<script>alert(1)</script>',
      state,
      iss: provider.issuer,
    };
    await visitor.visit(`${CALLBACK}?${new URLSearchParams(answer).toString()}`);
    await visitor.follow();
    expect(await refusal(visitor)).toEqual([
      403,
      `${LABEL} did not sign you in. Try again, or ask an admin.`,
    ]);
    expect(visitor.html).not.toContain('<script>alert');
  });

  it('after thirty of one address in a minute', async () => {
    await start();
    const visitor = new Visitor(service);
    for (let count = 0; count < 30; count += 1) await visitor.visit('/dashboard/sign-on');
    expect((await visitor.visit('/dashboard/sign-on')).status).toBe(429);
  });
});

describe('a verified e-mail', () => {
  it('links its operator at the first sign-on, where that is switched on', async () => {
    await start({ OIDC_LINK_BY_EMAIL: 'true' });
    const person = await addOperator();
    provider.person = { sub: 'ada', email: person.email.toUpperCase(), email_verified: true };
    expect((await signOn()).shown.path).toBe('/dashboard');
    const [, linking] = await eventsOf(person);
    expect(linking).toEqual(['OperatorSignOnLinked', expect.objectContaining({ by: 'email' })]);
  });

  it.each([
    ['says that it is not verified', { email_verified: false }],
    ['does not say whether it is', {}],
  ])('is needed: a provider that %s links nobody', async (_, stated) => {
    await start({ OIDC_LINK_BY_EMAIL: 'true' });
    const person = await addOperator();
    provider.person = { sub: 'mallory', email: person.email, ...stated };
    expect((await refusal(signOn()))[1]).toContain('does not say that your e-mail is verified');
    expect(await eventsOf(person)).toEqual([
      ['OperatorAdded', expect.anything()],
      ['OperatorSignOnRefused', { reason: 'email_unverified' }],
    ]);
  });

  it('does not take an operator from the person who is linked', async () => {
    await start({ OIDC_LINK_BY_EMAIL: 'true' });
    const person = await linked('the first');
    provider.person = { sub: 'the second', email: person.email, email_verified: true };
    expect((await refusal(signOn()))[1]).toContain('another account at');
    expect((await eventsOf(person)).at(-1)).toEqual(['OperatorSignOnRefused', { reason: 'linked_to_other' }]);
  });

  it('fills no history: ten refusals of an operator in an hour are noted', async () => {
    await start({ OIDC_LINK_BY_EMAIL: 'true' });
    const person = await addOperator();
    provider.person = { sub: 'mallory', email: person.email };
    for (let count = 0; count < 12; count += 1) await signOn();
    expect(await typesOf(person)).toHaveLength(11);
  });
});

describe('a form that asks for the password', () => {
  const link = { 'contact.payment_url': 'https://pay.example/' };

  async function contactPage(): Promise<string> {
    const { locations } = await service.company();
    return `/dashboard/locations/${locations.get('MAIN')}/contact`;
  }

  async function linkedAdmin(): Promise<void> {
    const { _id } = (await service.part(Operators).all())[0]!;
    await service.part(SignOnLinks).link(_id, provider.person.sub, byCommandLine());
  }

  it('asks for none in the ten minutes after a sign-on, then for a sign-on that leads back, or the password', async () => {
    await start();
    await linkedAdmin();
    const path = await contactPage();
    const admin = await signOn(new Visitor(service), '/dashboard/sign-on?again=1');
    await admin.visit(path);
    expect(admin.text).toContain(`You signed in with ${LABEL} a few minutes ago, so no password is asked.`);
    service.manualClock.advance(11 * 60_000);
    await admin.submit('contact', link);
    expect(admin.shown.status).toBe(422);
    expect(admin.text).toContain('“Your password” is required.');
    expect(admin.form('contact').values).toMatchObject(link);
    const again = admin.links.find((href) => href.includes('again=1'))!;
    service.manualClock.advance(-11 * 60_000);
    await signOn(admin, again);
    expect(admin.shown.path).toBe(path);
    await admin.submit('contact', link);
    expect(admin.text).toContain('The payment link is saved.');
  });

  it('offers the sign-on alone to somebody who has no password', async () => {
    await start({ OIDC_ONLY: 'true' });
    await linkedAdmin();
    const admin = await signOn();
    service.manualClock.advance(11 * 60_000);
    for (const path of ['/dashboard/account', '/dashboard/account/second-factor']) {
      await admin.visit(path);
      expect(admin.html).not.toContain('name="current"');
      expect(admin.links).toContain(`/dashboard/sign-on?next=${encodeURIComponent(path)}&again=1`);
    }
    await admin.submit('begin');
    expect(admin.shown.status).toBe(422);
    expect(admin.text).toContain(`“Sign-in with ${LABEL}” is required.`);
  });
});

describe('signing out', () => {
  it('leads to the provider, which ends the session there and leads back', async () => {
    await start();
    await linked();
    const visitor = await signOn();
    await visitor.post('/dashboard/sign-out', {});
    const there = new URL(visitor.refresh);
    expect(there.origin).toBe(new URL(provider.issuer).origin);
    expect(Object.fromEntries(there.searchParams)).toMatchObject({
      post_logout_redirect_uri: `${origin()}/dashboard/sign-in`,
      id_token_hint: expect.stringMatching(/^ey/),
    });
    expect((await fetch(there)).status).toBe(200);
    await visitor.visit('/dashboard/account');
    expect(visitor.shown.path).toContain('/dashboard/sign-in');
  });

  it('leads to the sign-in page where the session was opened by a password, or the provider does not answer', async () => {
    await start();
    await linked();
    const byPassword = await Visitor.signedIn(service);
    await byPassword.post('/dashboard/sign-out', {});
    expect(byPassword.shown.path).toContain('/dashboard/sign-in');
    const visitor = await signOn();
    await service.restart();
    await provider.trust(origin());
    provider.state = 'down';
    await visitor.post('/dashboard/sign-out', {});
    expect(visitor.shown.path).toContain('/dashboard/sign-in');
    provider.state = 'up';
  });
});

describe('the provider’s second factor', () => {
  const FACTOR = { OIDC_MFA_VALUES: 'mfa,urn:example:two-factors', OPERATOR_REQUIRE_TOTP: 'true' };

  it.each([{ amr: ['pwd', 'mfa'] }, { acr: 'urn:example:two-factors' }])(
    'counts where the token names a value of OIDC_MFA_VALUES: %j',
    async (named) => {
      await start(FACTOR);
      const person = await linkedDirectly();
      provider.person = { ...provider.person, ...named };
      const visitor = await signOn();
      expect(visitor.shown.path).toBe('/dashboard');
      expect((await eventsOf(person)).at(-1)).toMatchObject(['OperatorSignedOn', { second_factor: true }]);
    },
  );

  it.each([{}, { amr: ['pwd'] }, { acr: 'urn:example:one' }])(
    'does not count otherwise, and ours must be set up: %j',
    async (named) => {
      await start(FACTOR);
      await linkedDirectly();
      provider.person = { ...provider.person, ...named };
      const visitor = await signOn();
      expect(visitor.shown.path).toContain('/dashboard/account/second-factor');
      expect((await visitor.visit('/dashboard/account')).path).toContain('second-factor');
    },
  );

  /** Without the API: the first operator has no factor, and may do nothing there. */
  async function linkedDirectly(): Promise<Person> {
    const { _id: operator_id, email } = (await service.part(Operators).all())[0]!;
    await service.part(SignOnLinks).link(operator_id, provider.person.sub, byCommandLine());
    return { operator_id, email };
  }
});

describe('the page of operators', () => {
  const openDrawer = async ({ operator_id }: Person) => {
    const admin = await Visitor.signedIn(service);
    await admin.visit(`/dashboard/operators?change=${operator_id}`);
    return admin;
  };

  it('links the person whom an admin names, and says by what everybody signs in', async () => {
    await start();
    const person = await addOperator();
    const admin = await openDrawer(person);
    expect(admin.text).toContain('Nobody is linked.');
    await admin.submit(`link-${person.operator_id}`, { subject: provider.person.sub });
    expect(admin.text).toContain('The operator is linked, and every session of theirs is ended.');
    expect(admin.text).toMatch(new RegExp(`${person.email} Manager All companies ${LABEL}`));
    expect((await signOn()).shown.path).toBe('/dashboard');
  });

  it('says at the field that a person is linked to somebody else', async () => {
    await start();
    await linked();
    const person = await addOperator();
    const admin = await openDrawer(person);
    await admin.submit(`link-${person.operator_id}`, { subject: provider.person.sub });
    expect(admin.shown.status).toBe(422);
    expect(admin.text).toContain('“Subject” has already been taken.');
    expect(admin.form(`link-${person.operator_id}`).values).toMatchObject({ subject: provider.person.sub });
  });

  it('unlinks, after which the password that is set works', async () => {
    await start();
    const person = await linked();
    const admin = await openDrawer(person);
    await admin.submit(`unlink-${person.operator_id}`);
    expect(admin.text).toContain('The link is removed, and every session of theirs is ended.');
    expect((await signOn()).shown.status).toBe(403);
    const visitor = await Visitor.signedIn(service, person.email);
    expect(visitor.shown.path).toContain('/dashboard/account/password');
  });
});

describe('where passwords are off', () => {
  it('the page offers the provider, and a right password is refused like a wrong one, with an event', async () => {
    await start({ OIDC_ONLY: 'true' });
    await resetFirst();
    const person = await addOperator();
    const visitor = new Visitor(service);
    await visitor.visit('/dashboard/sign-in');
    expect(visitor.html).toMatch(/<details class="rest"><summary>Sign in with a password/);
    const answers = [];
    for (const password of [PASSWORD, 'a wrong password']) {
      await visitor.submit('sign-in', { email: person.email, password });
      answers.push([visitor.shown.status, visitor.text.includes(`Passwords are off. ${BUTTON}.`)]);
      const { status, body } = await service.call('post', '/api/operator/sessions', {
        body: { email: person.email, password },
      });
      expect([status, body.code]).toEqual([403, 'sign_on_required']);
    }
    expect(answers).toEqual(Array(2).fill([403, true]));
    expect((await eventsOf(person)).slice(1)).toEqual(
      Array(2).fill(['OperatorSignOnRefused', { reason: 'passwords_off' }]),
    );
  });

  it('the last admin who can sign in is neither unlinked, disabled nor removed', async () => {
    await start({ OIDC_ONLY: 'true' });
    const { _id, email } = (await service.part(Operators).all())[0]!;
    await service.part(SignOnLinks).link(_id, provider.person.sub, byCommandLine());
    const admin = await signOn();
    // Their passwords would not let them in.
    const others = {
      password: PASSWORD,
      role: 'admin',
      companies: null,
      sites: null,
      disabled: false,
    } as const;
    const other = { email: 'other@example.com', ...others };
    await service.part(OperatorAdministration).add(other, byCommandLine());
    await admin.visit(`/dashboard/operators?change=${_id}`);
    const acts = [
      () => admin.submit(`operator-${_id}`, { disabled: ['false', 'true'] }),
      () => admin.submit(`unlink-${_id}`),
      () => admin.submit(`remove-${_id}`),
    ];
    for (const act of acts) {
      await act();
      expect(admin.shown.status).toBe(409);
      expect(admin.text).toContain('There must be an admin of all companies who can sign in.');
      await admin.visit(`/dashboard/operators?change=${_id}`);
    }
    expect(await typesOf({ operator_id: _id, email })).not.toContain('OperatorSignOnUnlinked');
    expect((await signOn()).shown.path).toBe('/dashboard');
  });

  it('a start knows whether an admin can come in: linked, let in by the command line, or invited', async () => {
    await start({ OIDC_ONLY: 'true' });
    const administration = service.part(OperatorAdministration);
    const isLockedOut = () => administration.areAdminsLockedOut();
    expect(await isLockedOut()).toBe(true);
    const invited = { email: 'new@example.com', role: 'admin', companies: null, sites: null } as const;
    await administration.invite({ ...invited, disabled: false }, byCommandLine());
    expect(await isLockedOut()).toBe(false);
    service.manualClock.advance(8 * 24 * 60 * 60 * 1000);
    expect(await isLockedOut()).toBe(true);
    await resetFirst();
    expect(await isLockedOut()).toBe(false);
  });
});

/** The first operator gets in as after `operators reset`, and takes the usual password again. */
async function resetFirst(): Promise<void> {
  const { _id } = (await service.part(Operators).all())[0]!;
  const printed = 'a password that the command line printed';
  const change = { password: printed, allows_password: true };
  await service.part(OperatorAdministration).change(_id, change, byCommandLine());
  const body = { email: 'ada@example.com', password: printed };
  const { token } = demand(201, await service.call('post', '/api/operator/sessions', { body }));
  const next = { current: printed, next: PASSWORD };
  demand(200, await service.call('patch', '/api/operator/session/password', { token, body: next }));
}

function byCommandLine() {
  const command_id = systemIds.ulid();
  const actor = { kind: 'system', id: 'command-line' } as const;
  const context = { command_id, request_id: command_id, actor, recovering: false };
  return { author: 'system', context } as const;
}
