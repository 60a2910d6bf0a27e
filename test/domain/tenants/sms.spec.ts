import { readEnvironment } from '#kernel/environment/environment.js';
import type { Logger } from '#kernel/logger.js';
import { systemClock } from '#kernel/clock.js';
import { RateLimits } from '#web/pipeline/rate-limits.js';
import { SmsLimits } from '#domain/tenants/sms/sms-limits.js';
import { appendFile, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { OutboxSmsSender } from '#domain/tenants/sms/outbox-sms-sender.js';
import { SmsUnavailableError } from '#domain/tenants/sms/sms.errors.js';
import type { Fetch } from '#domain/tenants/sms/twilio-sms-sender.js';
import { TwilioSmsSender } from '#domain/tenants/sms/twilio-sms-sender.js';
import { resultsAtOnce } from '../../support/barrier.js';
import { ManualClock } from '../../support/manual-clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const PHONE = '+13125550100';
const DAY_MS = 24 * 60 * 60_000;

describe('limits of messages', () => {
  /** Counts that no time resets. */
  const taken = new Map<string, number>();
  const count = (name: string, by: number) => {
    taken.set(name, (taken.get(name) ?? 0) + by);
    return Promise.resolve({ count: taken.get(name)!, ends_at: 0 });
  };
  const environment = readEnvironment({ SMS_LIMIT_COMPANY: '5/3', SMS_LIMIT_SERVICE: '100/7' });
  const logged: object[] = [];
  const logger = { warn: (details: object) => logged.push(details) } as unknown as Logger;

  it('hold for the day as well, of a company and of the service, and say so in the log', async () => {
    const limits = new SmsLimits(new RateLimits(environment, { count }, systemClock), logger, environment);
    for (let sent = 0; sent < 3; sent += 1) await limits.take(['A', 'A']);
    await expect(limits.take(['A'])).rejects.toMatchObject({ code: 'rate_limited' });
    expect(logged).toEqual([{ security: 'sms_limit', policy: 'sms-company-day', company_id: 'A' }]);
    for (let sent = 0; sent < 3; sent += 1) await limits.take(['B', 'A']);
    await limits.take(['C']);
    await expect(limits.take(['C'])).rejects.toMatchObject({ code: 'rate_limited' });
    expect(logged.at(-1)).toEqual({ security: 'sms_limit', policy: 'sms-service-day' });
    await expect(limits.take([])).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('of a minute of the service do not use up the day of a company', async () => {
    taken.clear();
    const narrow = readEnvironment({ SMS_LIMIT_COMPANY: '100/3', SMS_LIMIT_SERVICE: '1/1000' });
    const limits = new SmsLimits(new RateLimits(narrow, { count }, systemClock), logger, narrow);
    await limits.take(['A']);
    for (let refused = 0; refused < 5; refused += 1)
      await expect(limits.take(['A'])).rejects.toMatchObject({ code: 'rate_limited' });
    const ofDay = [...taken].filter(([name]) => name.includes('sms-company-day'));
    expect(ofDay.map(([, points]) => points)).toEqual([1]);
  });
});

describe('the outbox', () => {
  it('keeps each message as a line that only its owner may read', async () => {
    const folder = await temporaryFolder();
    const path = join(folder.path, 'new', 'sms-outbox.ndjson');
    const outbox = new OutboxSmsSender(path, new ManualClock(Date.UTC(2026, 0, 1)));
    await resultsAtOnce(
      Array.from({ length: 20 }, (_, index) => () => outbox.send(PHONE, `Message ${index}.`)),
    );
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    expect(lines).toHaveLength(20);
    expect(JSON.parse(lines[0]!)).toEqual({
      to: PHONE,
      body: 'Message 0.',
      sent_at: '2026-01-01T00:00:00.000Z',
    });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await folder.remove();
  });

  it('forgets what went to a phone, and goes on', async () => {
    const folder = await temporaryFolder();
    const path = join(folder.path, 'sms-outbox.ndjson');
    const outbox = new OutboxSmsSender(path, new ManualClock());
    await outbox.forget([PHONE]);
    const others = ['+1312555010', '+131255501001'];
    await resultsAtOnce([
      ...others.map((to) => () => outbox.send(to, 'A message.')),
      () => outbox.send(PHONE, 'A message.'),
      () => outbox.forget([PHONE]),
      () => outbox.send('+13125550199', 'A message.'),
    ]);
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { to: string }).to)).toEqual([...others, '+13125550199']);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder.path)).toEqual(['sms-outbox.ndjson']);
    await folder.remove();
  });

  it('keeps a message whole behind a line that a full disk has torn', async () => {
    const folder = await temporaryFolder();
    const path = join(folder.path, 'sms-outbox.ndjson');
    const outbox = new OutboxSmsSender(path, new ManualClock());
    await outbox.send(PHONE, 'First.');
    await appendFile(path, '{"to":"+1312');
    await outbox.send(PHONE, 'Second.');
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ body: 'Second.' });
    await folder.remove();
  });

  it('keeps a message for seven days', async () => {
    const folder = await temporaryFolder();
    const path = join(folder.path, 'sms-outbox.ndjson');
    const clock = new ManualClock();
    const outbox = new OutboxSmsSender(path, clock);
    const bodies = async () =>
      (await readFile(path, 'utf8'))
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { body: string }).body);
    await outbox.send(PHONE, 'first');
    clock.advance(7 * DAY_MS);
    await outbox.send(PHONE, 'second');
    expect(await bodies()).toEqual(['first', 'second']);
    clock.advance(DAY_MS);
    await outbox.send(PHONE, 'third');
    expect(await bodies()).toEqual(['second', 'third']);
    await folder.remove();
  });

  it('says that it is unavailable where it cannot write, and goes on once it can', async () => {
    const folder = await temporaryFolder();
    const outbox = new OutboxSmsSender(folder.path, new ManualClock());
    const error: unknown = await outbox.send(PHONE, 'A message.').catch((thrown: unknown) => thrown);
    expect(error instanceof SmsUnavailableError).toBe(true);
    expect(String(error)).not.toContain(PHONE);
    await folder.remove();
  });
});

describe('twilio', () => {
  const account = { account_sid: 'AC1', auth_token: 'auth-token', from: '+15005550006' };

  function twilio(fetch: Fetch, clock = new ManualClock()) {
    return { clock, sender: new TwilioSmsSender(account, clock, fetch) };
  }

  it('posts the message with the credentials of the account', async () => {
    const calls: Parameters<Fetch>[] = [];
    const { sender, clock } = twilio((...call) => {
      calls.push(call);
      return Promise.resolve({ status: 201, text: () => Promise.resolve('{}') });
    });
    await sender.send(PHONE, 'A message.');
    const [url, init] = calls[0]!;
    expect(url).toBe('https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json');
    expect(init.headers['authorization']).toBe(`Basic ${Buffer.from('AC1:auth-token').toString('base64')}`);
    expect(Object.fromEntries(new URLSearchParams(init.body))).toEqual({
      To: PHONE,
      Body: 'A message.',
      From: '+15005550006',
    });
    expect(clock.pending).toBe(0);
  });

  it('tells the status and the code of a refusal, not whom it was about', async () => {
    const { sender } = twilio(() =>
      Promise.resolve({
        status: 400,
        text: () => Promise.resolve(`{"code": 21211, "message": "The number ${PHONE} is not valid."}`),
      }),
    );
    await expect(sender.send(PHONE, 'A message.')).rejects.toThrow(
      'The SMS provider did not accept the message: status 400, code 21211.',
    );
  });

  it('gives up after 10 seconds', async () => {
    const { sender, clock } = twilio(
      (_url, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error(`aborted ${PHONE}`)));
        }),
    );
    const sent = sender.send(PHONE, 'A message.').catch((error: unknown) => error);
    clock.advance(10_000);
    expect(String(await sent)).toBe(
      'SmsUnavailableError: The SMS provider did not accept the message: no answer in time.',
    );
  });
});
