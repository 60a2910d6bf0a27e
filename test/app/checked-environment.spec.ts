import { readCheckedEnvironment } from '#app/checked-environment.js';

async function linesOf(variables: Record<string, string>): Promise<string[]> {
  const reading = readCheckedEnvironment(variables);
  return reading.then(
    () => [],
    (error: Error) => error.message.split('\n'),
  );
}

describe('the environment with the addresses of its stores', () => {
  it('tells every fault of either address beside all others, and no password', async () => {
    const lines = await linesOf({
      NODE_ENV: 'production',
      KEY_MASTER_SECRET: 'x'.repeat(32),
      OPERATOR_EMAIL: 'ada@example.com',
      OPERATOR_PASSWORD: 'correct horse battery staple',
      SMS_PROVIDER: 'outbox',
      PORT: '-1',
      EVENTSTORE_URL: 'esdb://u:a-secret@db.example:99999,one?tls=false&nonsense=1&gossipTimeout=soon',
      MONGODB_URL:
        'mongodb://u:a-secret@db.example/?tls=true&tlsInsecure=true&w=1&readPreference=nearest&tlsCAFile=/no/such.pem',
    });
    expect(lines).toEqual([
      'PORT must be a whole number between 0 and 65535.',
      expect.stringMatching(/^MONGODB_URL names another host .*MONGODB_ALLOW_INSECURE=true/),
      expect.stringMatching(/^EVENTSTORE_URL has the option nonsense, which is unknown/),
      expect.stringMatching(/^EVENTSTORE_URL has the option gossipTimeout, which must be/),
      expect.stringMatching(/^EVENTSTORE_URL names no host or a wrong port/),
      expect.stringMatching(/^EVENTSTORE_URL has tls=false for one:2113: .*EVENTSTORE_ALLOW_INSECURE=true/),
      'MONGODB_URL asks for w=1; records need majority.',
      'MONGODB_URL asks for readPreference=nearest; records need primary.',
      'MONGODB_URL names with tlsCAFile a file that cannot be read (ENOENT): /no/such.pem',
    ]);
    expect(lines.join()).not.toContain('a-secret');
  });

  it.each([
    ['EVENTSTORE_URL', 'esdb://u:a-secret@db.example', 'MONGODB_URL'],
    ['MONGODB_URL', 'mongodb://u:a-secret@db.example', 'EVENTSTORE_URL'],
  ])('is refused in one line with %s alone', async (name, url, missing) => {
    expect(await linesOf({ [name]: url })).toEqual([
      `${name} is set and ${missing} is not. Set both for stores on servers, or neither for embedded stores.`,
    ]);
  });

  it('ends a start in production with a password that is easily guessed, and does not show it', async () => {
    const variables = {
      NODE_ENV: 'production',
      KEY_MASTER_SECRET: 'x'.repeat(32),
      SMS_PROVIDER: 'outbox',
      OPERATOR_EMAIL: 'ada@example.com',
      OPERATOR_PASSWORD: 'Password123!',
    };
    const said = ['OPERATOR_PASSWORD is common or easily guessed; choose another.'];
    expect(await linesOf(variables)).toEqual(said);
    expect(await linesOf({ ...variables, NODE_ENV: 'development' })).toEqual([]);
  });

  it('is read as it stands where nothing is wrong', async () => {
    const MONGODB_URL = 'mongodb://u:p@db.example/?tls=true';
    const allowed = { NODE_ENV: 'development', EVENTSTORE_URL: 'esdb://db.example?tls=false', MONGODB_URL };
    expect(await readCheckedEnvironment(allowed)).toMatchObject({
      eventstore_url: allowed.EVENTSTORE_URL,
      eventstore_insecure_allowed: true,
      mongodb_url: MONGODB_URL,
    });
  });
});
