import { toTimestamp } from '#kernel/timestamp.js';
import { readEnvironment } from '#kernel/environment/environment.js';
import { ENVIRONMENT } from '#kernel/injection-tokens.js';
import {
  type TenantAccount,
  TenantAccounts,
  type TenantDetails,
  TenantDetailsWrites,
} from '#domain/tenants/index.js';
import { TenantErasure } from '#domain/tenants/tenant-erasure.js';
import { TENANT_ACCOUNTS } from '#domain/tenants/tenant-account.js';
import { type CheckedCode, OTP_CODES, OtpCodes } from '#domain/tenants/otp-codes.js';
import { LoginNetworks } from '#domain/tenants/login-networks.js';
import { OtpMessages } from '#domain/tenants/otp-messages.js';
import { OtpRequests } from '#domain/tenants/otp-requests.js';
import { TenantLogin } from '#domain/tenants/tenant-login.js';
import { TENANT_SESSIONS } from '#domain/tenants/tenant-sessions.js';
import { resultsAtOnce } from '../../support/barrier.js';
import {
  type TenantsApplication,
  startTenantsApplication,
} from '../../domain/tenants/support/application.js';
import { aContext, recordDetails } from '../../domain/tenants/support/details.js';
import {
  type World,
  OTHER_COMPANY,
  OTHER_LOCATION,
  keyOf,
  openWorld,
} from '../../domain/tenants/support/world.js';
import { invalid } from '../../support/invalid.js';

const DAY = 24 * 60 * 60_000;

let world: World;
let app: TenantsApplication;
/** Of each test its own: how many there were, the tenant, and the phone that they have and one that they may get. */
let tests = 0;
let adasKey: ReturnType<typeof keyOf>;
let ada: { readonly country_code: string; readonly phone_number: string };
let adasPhone: string;
let otherPhone: string;

beforeAll(async () => {
  world = await openWorld();
  app = await startTenantsApplication(world);
});
afterAll(async () => {
  await app.close();
  await world.close();
});
beforeEach(async () => {
  tests += 1;
  // No limit counts what the test before has asked for.
  world.clock.advance(DAY);
  app.sent.length = 0;
  app.counted.length = 0;
  app.logged.length = 0;
  app.smsFails = false;
  adasKey = keyOf(`t-${tests}`);
  ada = { country_code: '1', phone_number: String(3_125_560_000 + tests) };
  adasPhone = `+1${ada.phone_number}`;
  otherPhone = `+1${3_125_570_000 + tests}`;
  await record({ key: adasKey, name: 'Ada Park', email: 'ada@example.com', phone: adasPhone });
});

function record(details: TenantDetails) {
  return recordDetails(writersOf(), [details]);
}

const writersOf = () => ({
  ...world,
  accounts: app.get(TenantAccounts),
  details: app.get(TenantDetailsWrites),
});

function askForCode(body: object = ada, prefix = '/api/v2') {
  return app.client.post(`${prefix}/auth/phone`).send(body);
}

function verify(otp: string, more: object = {}, prefix = '/api/v2') {
  return app.client.post(`${prefix}/auth/verify-otp`).send({ ...ada, otp, ...more });
}

function lastCode(): string {
  return /\d{6}/.exec(app.sent.at(-1)!.body)![0];
}

/** Another code than the one given. */
function wrong(code: string): string {
  return code === '000000' ? '000001' : '000000';
}

async function logIn(more: object = {}): Promise<string> {
  await askForCode().expect(200);
  const answer = await verify(lastCode(), more).expect(200);
  return answer.body.data.token as string;
}

function logOut(token: string) {
  return app.client.post('/api/v2/auth/logout').set('Authorization', `Bearer ${token}`);
}

describe('asking for a code', () => {
  it.each(['/api/v2', '/api/v1', '/api'])('sends a message under %s', async (prefix) => {
    const answer = await askForCode(ada, prefix).expect(200);
    expect(answer.body).toEqual({ message: 'OTP sent successfully.' });
    expect(answer.headers['ratelimit-policy']).toBe('"otp-request";q=5;w=60');
    expect(answer.headers['ratelimit']).toBe('"otp-request";r=4;t=60');
    expect(app.sent).toEqual([
      { to: adasPhone, body: `Your access code is ${lastCode()}. It is valid for 5 minutes.` },
    ]);
  });

  it('is refused for a phone that no tenant has', async () => {
    const answer = await askForCode({ country_code: '1', phone_number: '3125559999' }).expect(422);
    expect(answer.body).toEqual({
      code: 'phone_unknown',
      message: 'A tenant with the submitted phone number does not exist.',
    });
    expect(app.sent).toEqual([]);
  });

  it('counts for the number that it names, also where the rest of it is refused', async () => {
    for (let taken = 1; taken <= 5; taken += 1) {
      const answer = await askForCode({ ...ada, unknown: 1 }).expect(422);
      expect(answer.headers['ratelimit']).toBe(`"otp-request";r=${5 - taken};t=60`);
    }
    await askForCode(ada).expect(429);
  });

  it('says what is wrong with a body', async () => {
    const missing = await askForCode({}).expect(422);
    expect(missing.body).toEqual(
      invalid({
        country_code: ['The country code field is required.'],
        phone_number: ['The phone number field is required.'],
      }),
    );
    const bad = await askForCode({ country_code: '+1', phone_number: '312-555-0100', phone: 1 }).expect(422);
    expect(bad.body.errors).toEqual({
      country_code: ['The country code field must be 1 to 3 digits.'],
      phone_number: ['The phone number field must be 7 to 15 digits.'],
      phone: ['The phone field is not allowed.'],
    });
    const types = await askForCode({ country_code: 1, phone_number: '1'.repeat(16) }).expect(422);
    expect(types.body.errors).toEqual({
      country_code: ['The country code field must be a string.'],
      phone_number: ['The phone number field must be 7 to 15 digits.'],
    });
  });

  it('is counted, as entering one is, under a key that does not tell the number', async () => {
    await logIn();
    // Twice the address, twice the number, the code of the day by the phone and by the place, and the message twice each of
    // the company and of the service.
    expect(app.counted).toHaveLength(10);
    expect(app.counted.join(' ')).not.toContain(ada.phone_number);
    expect(app.counted.join(' ')).not.toContain('127.0.0.1');
    expect(new Set(app.counted).size).toBe(5);
  });

  it('waits 30 seconds between two codes, also after a login', async () => {
    await logIn();
    world.clock.advance(10_500);
    const answer = await askForCode().expect(429);
    expect(answer.body).toEqual({
      code: 'rate_limited',
      message: 'Too many attempts. Please try again in 30 seconds.',
    });
    expect(answer.headers['retry-after']).toBe('20');
    expect(answer.headers['ratelimit-policy']).toBe('"otp-cooldown";q=1;w=30');
    expect(answer.headers['ratelimit']).toBe('"otp-cooldown";r=0;t=20');
    world.clock.advance(19_500);
    await askForCode().expect(200);
  });

  it('sends one message to 20 who ask at once and counts 5 of them', async () => {
    const answers = await resultsAtOnce(Array.from({ length: 20 }, () => async () => askForCode()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(19);
    expect(app.sent).toHaveLength(1);
  });

  it('is limited to 5 in 60 seconds per phone, whatever the outcome', async () => {
    const unknown = { country_code: '44', phone_number: '7700900123' };
    for (let count = 0; count < 5; count += 1) await askForCode(unknown).expect(422);
    world.clock.advance(15_000);
    const refused = await askForCode(unknown).expect(429);
    expect(refused.body).toEqual({
      code: 'rate_limited',
      message: 'Too many attempts. Please try again in 60 seconds.',
    });
    expect(refused.headers['retry-after']).toBe('45');
    await askForCode().expect(200);
    world.clock.advance(45_000);
    await askForCode(unknown).expect(422);
  });

  it('does not count a code that could not be sent', async () => {
    await askForCode().expect(200);
    const earlier = lastCode();
    world.clock.advance(30_000);
    app.smsFails = true;
    const failed = await askForCode().expect(503);
    expect(failed.headers['retry-after']).toBe('5');
    app.smsFails = false;
    await verify(earlier).expect(200);
  });

  it('may be asked again at once where the first could not be sent', async () => {
    app.smsFails = true;
    await askForCode().expect(503);
    app.smsFails = false;
    await askForCode().expect(200);
    await verify(lastCode()).expect(200);
  });
});

describe('logging in', () => {
  const place = () => ({ phone: adasPhone, id: 'somewhere', isKnown: false });

  it.each(['/api/v2', '/api/v1', '/api'])('answers a token and the user under %s', async (prefix) => {
    await askForCode().expect(200);
    const answer = await verify(lastCode(), {}, prefix).expect(200);
    const [account] = await app.get(TenantAccounts).byPhone(adasPhone);
    expect(answer.body).toEqual({
      message: 'Login successful.',
      data: {
        token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        expires_at: toTimestamp(world.clock.now() + 30 * DAY),
        user: { id: account!.tenant_id, name: 'Ada Park', email: 'ada@example.com', phone: adasPhone },
      },
    });
    expect(answer.headers['ratelimit-policy']).toBe('"otp-verify";q=5;w=60');
  });

  it('refuses a wrong, a used, a replaced and an expired code in the same words', async () => {
    const refused = { code: 'otp_invalid', message: 'The OTP code is invalid or has expired.' };
    expect((await verify('123456').expect(422)).body).toEqual(refused);
    await askForCode().expect(200);
    const first = lastCode();
    expect((await verify(wrong(first)).expect(422)).body).toEqual(refused);
    await verify(first).expect(200);
    expect((await verify(first).expect(422)).body).toEqual(refused);
    world.clock.advance(60_000);
    await askForCode().expect(200);
    const second = lastCode();
    world.clock.advance(5 * 60_000 - 1);
    await verify(second).expect(200);
    await askForCode().expect(200);
    const third = lastCode();
    world.clock.advance(5 * 60_000);
    expect((await verify(third).expect(422)).body).toEqual(refused);
    await askForCode().expect(200);
    const fourth = lastCode();
    world.clock.advance(30_000);
    await askForCode().expect(200);
    if (fourth !== lastCode()) await verify(fourth).expect(422);
    await verify(lastCode()).expect(200);
  });

  it('lists no more than 50 accounts of a company, and lets every one of them in', async () => {
    const details = Array.from({ length: 60 }, (_, n) => {
      return { key: keyOf(`many-${n}`), name: `Many ${n}`, phone: adasPhone };
    });
    const writers = writersOf();
    const other = { company_id: OTHER_COMPANY, location_id: 'l', pms_tenant_id: 't' };
    await recordDetails(writers, [...details, { key: other, name: 'Ada', phone: adasPhone }]);
    const [elsewhere] = await writers.accounts.find([other]);
    await askForCode().expect(200);
    const answer = await verify(lastCode()).expect(200);
    const listed = (answer.body.data.accounts as { tenant_id: string }[]).map(({ tenant_id }) => tenant_id);
    expect(listed).toHaveLength(51);
    expect(listed).toContain(elsewhere!.tenant_id);
    const all = await writers.accounts.find(details.map(({ key }) => key));
    const unlisted = all.map((account) => account!.tenant_id).find((id) => !listed.includes(id))!;
    const login = await verify(lastCode(), { tenant_id: unlisted }).expect(200);
    expect(login.body.data.user.id).toBe(unlisted);
  });

  it('gives one of 20 who know the code a token', async () => {
    await askForCode().expect(200);
    const code = lastCode();
    const login = app.get(TenantLogin);
    const from = await app.get(LoginNetworks).findNetwork(adasPhone, '192.0.2.1');
    const outcomes = await resultsAtOnce(
      Array.from({ length: 20 }, () => () => login.verifyOtp(from, code, undefined)),
    );
    expect(outcomes.filter(({ kind }) => kind === 'logged_in')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'wrong_code')).toHaveLength(19);
  });

  it('is limited to 5 attempts in 60 seconds per phone, whatever the sixth is', async () => {
    await askForCode().expect(200);
    for (let count = 0; count < 5; count += 1) await verify(wrong(lastCode())).expect(422);
    const refused = await verify(lastCode()).expect(429);
    expect(refused.body).toEqual({
      code: 'rate_limited',
      message: 'Too many attempts. Please try again in 60 seconds.',
    });
    expect(refused.headers['retry-after']).toBe('60');
  });

  it('is impossible with a code that was guessed at five times, and possible with the next', async () => {
    await askForCode().expect(200);
    for (let count = 0; count < 5; count += 1) await verify(wrong(lastCode())).expect(422);
    world.clock.advance(60_000);
    expect((await verify(lastCode()).expect(422)).body.code).toBe('otp_invalid');
    await askForCode().expect(200);
    await verify(lastCode()).expect(200);
  });

  it('judges no more than five tries, however many come at once', async () => {
    await askForCode().expect(200);
    const guesses = Array.from({ length: 20 }, () => wrong(lastCode()));
    await resultsAtOnce(guesses.map((guess) => () => app.get(OtpCodes).check(place(), guess)));
    expect(await app.get(OtpCodes).check(place(), lastCode())).toBeUndefined();
  });

  it('is not spoiled by a wrong try that comes in between', async () => {
    await askForCode().expect(200);
    const codes = app.get(OtpCodes);
    const checked = await codes.check(place(), lastCode());
    await codes.check(place(), wrong(lastCode()));
    expect(await codes.consume(checked as CheckedCode)).toBe(false);
    await verify(lastCode()).expect(200);
  });

  it('says what is wrong with a body', async () => {
    const answer = await verify('12345', { tenant_id: null }).expect(422);
    expect(answer.body.errors).toEqual({
      otp: ['The otp field must be 6 digits.'],
      tenant_id: ['The tenant id field must be a string.'],
    });
  });
});

describe('what wears a login down', () => {
  const DAY_TEXT = 'Too many attempts. Please try again in 86400 seconds.';

  it('meets 20 codes per phone and day', async () => {
    for (let count = 0; count < 20; count += 1) {
      await askForCode().expect(200);
      world.clock.advance(60_000);
    }
    const refused = await askForCode().expect(429);
    expect(refused.body).toEqual({ code: 'rate_limited', message: DAY_TEXT });
    const left = 24 * 60 * 60 - 20 * 60;
    expect(refused.headers['retry-after']).toBe(String(left));
    expect(refused.headers['ratelimit-policy']).toBe('"otp-codes-a-day";q=20;w=86400');
    expect(refused.headers['ratelimit']).toBe(`"otp-codes-a-day";r=0;t=${left}`);
    expect(app.sent).toHaveLength(20);
    world.clock.advance(DAY);
    await askForCode().expect(200);
  });

  it('meets 25 wrong tries per phone and day, after which the right code helps no more', async () => {
    for (let round = 0; round < 5; round += 1) {
      await askForCode().expect(200);
      for (let count = 0; count < 5; count += 1) await verify(wrong(lastCode())).expect(422);
      world.clock.advance(60_000);
    }
    await askForCode().expect(200);
    const refused = await verify(lastCode()).expect(429);
    expect([refused.body.message, refused.headers['ratelimit-policy']]).toEqual([
      DAY_TEXT,
      '"otp-wrong-a-day";q=25;w=86400',
    ]);
    world.clock.advance(DAY);
    await askForCode().expect(200);
    await verify(lastCode()).expect(200);
  });

  describe('from elsewhere', () => {
    const requests = () => app.get(OtpRequests);
    const login = () => app.get(TenantLogin);
    const from = (network: string) => app.get(LoginNetworks).findNetwork(adasPhone, network);
    const ask = async (network: string) => {
      world.clock.advance(30_000);
      return (await requests().request(await from(network))).kind;
    };
    const guess = async (network: string, right = false) => {
      const code = right ? lastCode() : wrong(lastCode());
      return (await login().verifyOtp(await from(network), code, undefined)).kind;
    };
    const refused = { status: 429, message: DAY_TEXT };

    it('leaves codes to the others, and all of them to who has logged in where they are', async () => {
      await ask('home');
      expect(await guess('home', true)).toBe('logged_in');
      for (let count = 0; count < 20; count += 1) expect(await ask('stranger')).toBe('sent');
      await expect(ask('stranger')).rejects.toMatchObject(refused);
      // One of the five that are left was taken before there was a login.
      for (let count = 0; count < 4; count += 1) expect(await ask(`other-${count}`)).toBe('sent');
      await expect(ask('another')).rejects.toMatchObject(refused);
      for (let count = 0; count < 19; count += 1) expect(await ask('home')).toBe('sent');
      await expect(ask('home')).rejects.toMatchObject(refused);
    });

    it('close a code to other places only by five wrong tries', async () => {
      await ask('home');
      expect(await guess('home', true)).toBe('logged_in');
      await ask('home');
      for (let tried = 0; tried < 4; tried += 1) expect(await guess('stranger')).toBe('wrong_code');
      const open = lastCode();
      expect(await guess('another', true)).toBe('logged_in');
      await ask('home');
      expect(lastCode()).not.toBe(open);
      for (let tried = 0; tried < 5; tried += 1) expect(await guess('stranger')).toBe('wrong_code');
      expect(await guess('someone', true)).toBe('wrong_code');
      expect(await guess('home', true)).toBe('logged_in');
    });

    it('leaves tries likewise', async () => {
      await ask('home');
      expect(await guess('home', true)).toBe('logged_in');
      const guesses = async (network: string, count: number) => {
        for (let tried = 0; tried < count; tried += 1) {
          if (tried % 5 === 0) await ask(`${network}-${tried}`.slice(0, 9));
          expect(await guess(network)).toBe('wrong_code');
        }
      };
      await guesses('stranger', 25);
      await expect(guess('stranger')).rejects.toMatchObject(refused);
      await guesses('other', 10);
      await expect(guess('another', true)).rejects.toMatchObject(refused);
      await ask('home');
      expect(await guess('home', true)).toBe('logged_in');
    });

    it('is known no more once the phone is another, or the tenant erased', async () => {
      const places = async () => (await from('home')).isKnown;
      await ask('home');
      expect(await guess('home', true)).toBe('logged_in');
      expect(await places()).toBe(true);
      world.clock.advance(90 * DAY - 1);
      expect(await places()).toBe(true);
      world.clock.advance(1);
      expect(await places()).toBe(false);
      await ask('home');
      expect(await guess('home', true)).toBe('logged_in');
      await record({ key: adasKey, name: 'Ada Park', phone: otherPhone });
      expect(await places()).toBe(false);
    });
  });

  it('counts no wrong try for the day where there was no code to guess at', async () => {
    for (let round = 0; round < 6; round += 1) {
      for (let count = 0; count < 5; count += 1) await verify('123456').expect(422);
      world.clock.advance(60_000);
    }
    await askForCode().expect(200);
    await verify(lastCode()).expect(200);
  });

  it('meets 60 requests per client address and minute over both routes, whatever they name', async () => {
    const phone = (count: number) => ({
      country_code: '1',
      phone_number: `31255502${String(count).padStart(2, '0')}`,
    });
    for (let count = 0; count < 30; count += 1) {
      await askForCode(phone(count)).expect(422);
      await verify('123456', phone(count)).expect(422);
    }
    const refused = await askForCode().expect(429);
    expect(refused.body.message).toBe('Too many attempts. Please try again in 60 seconds.');
    expect(refused.headers['ratelimit-policy']).toBe('"auth-source";q=60;w=60');
    expect((await askForCode({ country_code: 1 })).status).toBe(429);
    // The number that was named has lost nothing.
    world.clock.advance(60_000);
    expect((await askForCode().expect(200)).headers['ratelimit']).toBe('"otp-request";r=4;t=60');
  });
});

describe('with uniform answers', () => {
  const STRANGER = { country_code: '1', phone_number: '3125559999' };

  let usual: TenantsApplication;
  beforeAll(async () => {
    usual = app;
    const environment = readEnvironment({ DATA_DIR: world.folder, AUTH_UNIFORM_ANSWER: 'true' });
    app = await startTenantsApplication(world, [], [{ provide: ENVIRONMENT, useValue: environment }]);
  });
  afterAll(async () => {
    await app.close();
    app = usual;
  });

  /** No answer waits for its message. */
  const messagesEnded = () => app.get(OtpMessages).beforeApplicationShutdown();

  /** Status and text of each step that a prober may take. */
  async function probe(phone: object) {
    const answers = [await askForCode(phone), await askForCode(phone), await verify('000000', phone)];
    world.clock.advance(30_000);
    answers.push(await askForCode(phone));
    await messagesEnded();
    app.smsFails = true;
    world.clock.advance(60_000);
    answers.push(await askForCode(phone), await askForCode(phone));
    await messagesEnded();
    app.smsFails = false;
    return answers.map(({ status, body, headers }) => [
      status,
      body,
      headers['ratelimit'],
      headers['retry-after'],
    ]);
  }

  it('an unknown phone is answered as a known one is', async () => {
    const unknown = await probe(STRANGER);
    expect(app.sent).toEqual([]);
    world.clock.advance(DAY);
    expect(await probe(ada)).toEqual(unknown);
    expect(app.sent).toHaveLength(2);
    expect(unknown.map(([status]) => status)).toEqual([200, 429, 422, 200, 200, 429]);
  });

  it('the right code of a phone that no account has any more is a wrong one', async () => {
    await askForCode().expect(200);
    await messagesEnded();
    const [account] = await app.get(TenantAccounts).byPhone(adasPhone);
    const document: TenantAccount = { ...account!, phone: otherPhone };
    await world.records.write([{ kind: 'put', collection: TENANT_ACCOUNTS.name, document }]);
    expect((await verify(lastCode()).expect(422)).body.code).toBe('otp_invalid');
  });
});

describe('a phone with several accounts', () => {
  beforeEach(() =>
    record({ key: keyOf(`other ${tests}`, OTHER_LOCATION), name: 'A. Park', phone: adasPhone }),
  );

  it('is asked to choose, and the code stays good for the choice', async () => {
    await askForCode().expect(200);
    const several = await verify(lastCode()).expect(200);
    const { accounts } = several.body.data;
    expect(several.body).toEqual({
      message: 'Multiple accounts found.',
      data: {
        token: null,
        accounts: [
          { tenant_id: expect.any(String), name: 'Ada Park', location: 'Main St', company: 'Park Storage' },
          { tenant_id: expect.any(String), name: 'A. Park', location: 'Oak Ave', company: 'Park Storage' },
        ],
      },
    });
    const stranger = await verify(lastCode(), { tenant_id: world.ids.ulid() }).expect(422);
    expect(stranger.body).toEqual(invalid({ tenant_id: ['The selected tenant id is invalid.'] }));
    const chosen = await verify(lastCode(), { tenant_id: accounts[1].tenant_id }).expect(200);
    expect(chosen.body.data.user).toMatchObject({ id: accounts[1].tenant_id, name: 'A. Park', email: null });
    await verify(lastCode(), { tenant_id: accounts[0].tenant_id }).expect(422);
  });

  it('hears of a wrong code before anything about accounts', async () => {
    await askForCode().expect(200);
    const answer = await verify(wrong(lastCode()), { tenant_id: world.ids.ulid() }).expect(422);
    expect(answer.body).toEqual({ code: 'otp_invalid', message: 'The OTP code is invalid or has expired.' });
  });

  it('offers an account no longer once it was erased', async () => {
    const [first, second] = await app.get(TenantAccounts).byPhone(adasPhone);
    await askForCode().expect(200);
    await app.get(TenantErasure).erase(first!.tenant_id, aContext());
    const answer = await verify(lastCode()).expect(200);
    expect(answer.body.data.user.id).toBe(second!.tenant_id);
  });
});

describe('a phone that changes during a login', () => {
  /** The phone changes at the very moment at which something is written. */
  function changingBefore(collection: string) {
    const write = world.records.write.bind(world.records);
    const spy = jest.spyOn(world.records, 'write').mockImplementation(async (writes) => {
      if (writes.some((one) => one.collection === collection)) {
        spy.mockRestore();
        await record({ key: adasKey, name: 'Ada Park', phone: otherPhone });
      }
      return write(writes);
    });
  }

  it.each([
    ['when the code is used up', OTP_CODES.name],
    ['when the session is about to begin', TENANT_SESSIONS.name],
  ])('%s leaves nobody signed in', async (_when, collection) => {
    await askForCode().expect(200);
    const code = lastCode();
    changingBefore(collection);
    expect((await verify(code).expect(422)).body.data).toBeUndefined();
    const [account] = await app.get(TenantAccounts).byPhone(otherPhone);
    const sessions = await world.records.collection(TENANT_SESSIONS);
    expect(await sessions.findAny('tenant_id', [account!.tenant_id])).toEqual([]);
  });
});

describe('a session', () => {
  it('ends with the logout, at once and alone', async () => {
    const token = await logIn();
    world.clock.advance(60_000);
    const other = await logIn();
    expect((await logOut(token).expect(200)).body).toEqual({ message: 'Request successful.' });
    expect((await logOut(token).expect(401)).body).toMatchObject({
      code: 'unauthorized',
      message: 'Unauthorized.',
    });
    await logOut(other).expect(200);
  });

  it('ends after 30 days', async () => {
    const token = await logIn();
    world.clock.advance(30 * DAY - 1);
    const late = await logIn();
    world.clock.advance(1);
    await logOut(token).expect(401);
    await logOut(late).expect(200);
  });

  it('ends with the erasure of its tenant, and the codes of the phone with it', async () => {
    const token = await logIn();
    const [account] = await app.get(TenantAccounts).byPhone(adasPhone);
    await app.get(TenantErasure).erase(account!.tenant_id, aContext());
    await app.get(TenantErasure).erase(account!.tenant_id, aContext());
    await logOut(token).expect(401);
    expect(await (await world.records.collection(OTP_CODES)).get(adasPhone)).toBeUndefined();
    await askForCode().expect(422);
  });
});

describe('secrets', () => {
  it('stand in no record, and personal details and codes in no log line', async () => {
    await askForCode().expect(200);
    const code = lastCode();
    const stored = JSON.stringify(await (await world.records.collection(OTP_CODES)).get(adasPhone));
    expect(stored).not.toContain(code);
    const { token } = (await verify(code).expect(200)).body.data;
    const [account] = await app.get(TenantAccounts).byPhone(adasPhone);
    const sessions = await (
      await world.records.collection(TENANT_SESSIONS)
    ).findAny('tenant_id', [account!.tenant_id]);
    expect(sessions).toHaveLength(1);
    expect(JSON.stringify(sessions)).not.toContain(token);
    world.clock.advance(30_000);
    app.smsFails = true;
    await askForCode().expect(503);
    expect(app.logged.join('\n')).toContain('A code could not be sent.');
    for (const secret of [adasPhone, ada.phone_number, 'Ada', 'ada@example.com', code, token]) {
      expect(app.logged.join('\n')).not.toContain(secret);
    }
  });
});
