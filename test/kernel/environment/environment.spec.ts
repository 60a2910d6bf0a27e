import { EnvironmentError, readEnvironment } from '#kernel/environment/environment.js';

const SECRET = 'do-not-show-this-value';

describe('the environment', () => {
  it('needs nothing: every default serves a first start', () => {
    expect(readEnvironment({})).toEqual({
      production: false,
      host: '0.0.0.0',
      port: 3000,
      data_dir: './data',
      eventstore_url: undefined,
      eventstore_insecure_allowed: true,
      mongodb_url: undefined,
      key_master_secret: undefined,
      key_master_secret_rotate: false,
      sms: { provider: 'outbox' },
      smtp: undefined,
      operator: undefined,
      tenant_token_days: 30,
      auth_uniform_answer: false,
      operator_require_totp: false,
      sign_on: undefined,
      rate_limit_pms_writes: 600,
      rate_limit_pms_bulk: 60,
      rate_limit_reads: 1200,
      rate_limit_operators: 1200,
      rate_limit_tenant_reads: 300,
      rate_limit_auth_source: 60,
      sms_limit_company: { minute: 60, day: 2_000 },
      sms_limit_service: { minute: 600, day: 20_000 },
      trusted_proxies: [],
      public_url: undefined,
      cors_origins: [],
      pull_allow_private: false,
      webhook_allow_private: false,
      eventstore_stream_prefix: 'storage_access.',
      v1_sunset: undefined,
      audit_signing_key: undefined,
      audit_checkpoint_file: undefined,
      log_level: 'info',
      access_log: true,
    });
  });

  it('is read as it stands', () => {
    const environment = readEnvironment({
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: '/var/lib/storage-access',
      EVENTSTORE_URL: 'esdb://admin:changeit@one:2113,two:2113?tls=false',
      MONGODB_URL: 'mongodb://user:password@one:27017,two:27017/records?replicaSet=rs0&tls=true',
      KEY_MASTER_SECRET: 'x'.repeat(32),
      SMS_PROVIDER: 'twilio',
      TWILIO_ACCOUNT_SID: 'AC1',
      TWILIO_AUTH_TOKEN: 'secret',
      TWILIO_FROM: '+15550000000',
      OPERATOR_EMAIL: 'ada@example.com',
      OPERATOR_PASSWORD: ' with spaces ',
      TENANT_TOKEN_DAYS: '7',
      RATE_LIMIT_PMS_WRITES: '1000',
      RATE_LIMIT_PMS_BULK: '10',
      RATE_LIMIT_READS: '100',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1,192.0.2.7',
      PUBLIC_URL: 'https://access.example/',
      CORS_ORIGINS: 'https://app.example, http://localhost:5173',
      PULL_ALLOW_PRIVATE: 'true',
      EVENTSTORE_STREAM_PREFIX: 'Facility_1.',
      V1_SUNSET: '2028-02-29',
      AUDIT_SIGNING_KEY: 'MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g',
      AUDIT_CHECKPOINT_FILE: '/audit/checkpoints',
      LOG_LEVEL: 'silent',
      ACCESS_LOG: 'false',
    });
    expect(environment).toMatchObject({
      production: true,
      port: 0,
      sms: { provider: 'twilio', account_sid: 'AC1', auth_token: 'secret', from: '+15550000000' },
      operator: { email: 'ada@example.com', password: ' with spaces ' },
      tenant_token_days: 7,
      pull_allow_private: true,
      public_url: 'https://access.example',
      cors_origins: ['https://app.example', 'http://localhost:5173'],
      eventstore_insecure_allowed: false,
      eventstore_stream_prefix: 'Facility_1.',
      v1_sunset: '2028-02-29',
      audit_signing_key: 'MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g',
      audit_checkpoint_file: '/audit/checkpoints',
      log_level: 'silent',
      access_log: false,
    });
  });

  it('counts an empty variable as unset', () => {
    expect(readEnvironment({ PORT: '', MONGODB_URL: ' ', LOG_LEVEL: '' })).toEqual(readEnvironment({}));
  });

  it.each([
    ['PORT', { PORT: SECRET }, 'PORT must be a whole number between 0 and 65535.'],
    ['PORT', { PORT: '65536' }, 'PORT must be a whole number between 0 and 65535.'],
    ['PORT', { PORT: '3000.5' }, 'PORT must be a whole number between 0 and 65535.'],
    [
      'TENANT_TOKEN_DAYS',
      { TENANT_TOKEN_DAYS: '91' },
      'TENANT_TOKEN_DAYS must be a whole number between 1 and 90.',
    ],
    [
      'RATE_LIMIT_PMS_WRITES',
      { RATE_LIMIT_PMS_WRITES: '-1' },
      'RATE_LIMIT_PMS_WRITES must be a whole number between 1 and 1000000.',
    ],
    [
      'MONGODB_URL',
      { EVENTSTORE_URL: 'esdb://one:2113', MONGODB_URL: `http://user:${SECRET}@host` },
      'MONGODB_URL must be a URL that begins with mongodb:// or mongodb+srv://.',
    ],
    [
      'MONGODB_URL',
      { EVENTSTORE_URL: 'esdb://one:2113', MONGODB_URL: `mongodb://user:${SECRET}@` },
      'MONGODB_URL must be a URL with a host, or several between commas.',
    ],
    [
      'EVENTSTORE_STREAM_PREFIX',
      { EVENTSTORE_STREAM_PREFIX: `${SECRET}-` },
      expect.stringMatching(/^EVENTSTORE_STREAM_PREFIX must be 1 to 40 letters/),
    ],
    [
      'EVENTSTORE_URL',
      { EVENTSTORE_URL: SECRET, MONGODB_URL: 'mongodb://one' },
      expect.stringMatching(/^EVENTSTORE_URL must be a URL that begins/),
    ],
    [
      'KEY_MASTER_SECRET',
      { KEY_MASTER_SECRET: SECRET },
      'KEY_MASTER_SECRET must have at least 32 characters.',
    ],
    ['SMS_PROVIDER', { SMS_PROVIDER: SECRET }, 'SMS_PROVIDER must be one of outbox, twilio.'],
    [
      'TWILIO_FROM',
      { SMS_PROVIDER: 'twilio', TWILIO_ACCOUNT_SID: 'a', TWILIO_AUTH_TOKEN: SECRET },
      'TWILIO_FROM is required with SMS_PROVIDER=twilio.',
    ],
    ['OPERATOR_EMAIL', { OPERATOR_PASSWORD: SECRET }, 'OPERATOR_EMAIL is required with OPERATOR_PASSWORD.'],
    ['OPERATOR_PASSWORD', { OPERATOR_EMAIL: 'a@b' }, 'OPERATOR_PASSWORD is required with OPERATOR_EMAIL.'],
    [
      'OPERATOR_PASSWORD',
      { OPERATOR_EMAIL: 'a@b', OPERATOR_PASSWORD: 'elevenchars' },
      'OPERATOR_PASSWORD must have between 12 and 256 characters.',
    ],
    [
      'OPERATOR_EMAIL',
      { OPERATOR_EMAIL: 'ada', OPERATOR_PASSWORD: SECRET },
      'OPERATOR_EMAIL must be a valid email address.',
    ],
    ...[
      '10.0.0.0/33',
      '::/129',
      '10.0.0',
      '10.0.0.1/',
      '10.0.0.1,,10.0.0.2',
      '::ffff:10.0.0.0/8',
      SECRET,
    ].map((ranges): [string, Record<string, string>, string] => [
      'TRUSTED_PROXIES',
      { TRUSTED_PROXIES: ranges },
      'TRUSTED_PROXIES must be addresses or ranges such as 10.0.0.0/8, between commas.',
    ]),
    ...['*', 'https://app.example/', 'app.example', 'https://app.example:443', 'null', SECRET].map(
      (listed): [string, Record<string, string>, string] => [
        'CORS_ORIGINS',
        { CORS_ORIGINS: listed },
        'CORS_ORIGINS must be origins such as https://app.example, between commas.',
      ],
    ),
    ...['access.example', 'https://access.example/app', 'ftp://access.example', SECRET].map(
      (origin): [string, Record<string, string>, string] => [
        'PUBLIC_URL',
        { PUBLIC_URL: origin },
        'PUBLIC_URL must be an origin such as https://access.example.',
      ],
    ),
    ['PULL_ALLOW_PRIVATE', { PULL_ALLOW_PRIVATE: 'yes' }, 'PULL_ALLOW_PRIVATE must be one of true, false.'],
    [
      'AUDIT_SIGNING_KEY',
      { AUDIT_SIGNING_KEY: 'bm90IGEga2V5' },
      'AUDIT_SIGNING_KEY must be an Ed25519 private key, as base64 of its PKCS #8 form.',
    ],
    [
      'AUDIT_SIGNING_KEY',
      {
        AUDIT_CHECKPOINT_FILE: '/audit/checkpoints',
        EVENTSTORE_URL: 'esdb://one:2113',
        MONGODB_URL: 'mongodb://one',
      },
      'AUDIT_SIGNING_KEY is required with AUDIT_CHECKPOINT_FILE and EVENTSTORE_URL. Give every process the same key.',
    ],
    ['V1_SUNSET', { V1_SUNSET: '2027-02-29' }, 'V1_SUNSET must be a valid date in the format YYYY-MM-DD.'],
    [
      'LOG_LEVEL',
      { LOG_LEVEL: 'loud' },
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent.',
    ],
  ])('refuses a bad %s in one line that shows no value', (variable, variables, message) => {
    const read = () => readEnvironment(variables);
    expect(read).toThrow(EnvironmentError);
    try {
      read();
    } catch (error) {
      const { message: line, faults } = error as EnvironmentError;
      expect([faults[0]!.variable, line]).toEqual([variable, message]);
      expect(line).not.toContain('\n');
      expect(line).not.toContain(SECRET);
    }
  });

  it('tells all faults at once, a line each', () => {
    const variables = { PORT: '-1', LOG_LEVEL: 'loud', SMS_PROVIDER: 'twilio', OPERATOR_EMAIL: 'a@b' };
    expect(linesOf(variables)).toEqual([
      'PORT must be a whole number between 0 and 65535.',
      'TWILIO_ACCOUNT_SID is required with SMS_PROVIDER=twilio.',
      'TWILIO_AUTH_TOKEN is required with SMS_PROVIDER=twilio.',
      'TWILIO_FROM is required with SMS_PROVIDER=twilio.',
      'OPERATOR_PASSWORD is required with OPERATOR_EMAIL.',
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent.',
    ]);
  });
});

function linesOf(variables: Record<string, string>): string[] {
  try {
    readEnvironment(variables);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
}

describe('production', () => {
  const GOOD = {
    NODE_ENV: 'production',
    KEY_MASTER_SECRET: 'x'.repeat(32),
    OPERATOR_EMAIL: 'ada@example.com',
    OPERATOR_PASSWORD: 'correct horse battery staple',
    SMS_PROVIDER: 'outbox',
  };

  it('takes nothing that was made up, and no outbox that nobody has asked for', () => {
    expect(linesOf(GOOD)).toEqual([]);
    expect(linesOf({ NODE_ENV: 'production' })).toEqual([
      'KEY_MASTER_SECRET is required with NODE_ENV=production.',
      'SMS_PROVIDER is required with NODE_ENV=production. Set twilio, or outbox: it sends nothing and writes codes to a file.',
      'OPERATOR_PASSWORD is required with NODE_ENV=production, and OPERATOR_EMAIL.',
    ]);
  });

  it.each([
    ['mongodb://db.example/records', true],
    ['mongodb://user:tls=true@db.example/records', true],
    ['mongodb://localhost,db.example/records?replicaSet=rs0', true],
    ['mongodb://db.example/records?ssl=false', true],
    ['mongodb+srv://db.example/records?tls=false', true],
    ['mongodb://db.example/records?tls=true&tlsInsecure=true', true],
    ['mongodb+srv://db.example/records?tlsAllowInvalidCertificates=true', true],
    ['mongodb://db.example/?tlsAllowInvalidHostnames=true&tls=true', true],
    ['mongodb://localhost/?tls=true&tlsInsecure=true', false],
    ['mongodb+srv://db.example/records', false],
    ['mongodb://db.example/records?replicaSet=rs0&TLS=true', false],
    ['mongodb://db.example/?ssl=true&w=majority', false],
    ['mongodb://localhost:27017,127.0.0.1,[::1]:27018/records', false],
  ])('of %s: refused %s', (MONGODB_URL, refused) => {
    const servers = { EVENTSTORE_URL: 'esdb://one:2113', MONGODB_URL };
    const lines = linesOf({ ...GOOD, ...servers });
    expect(lines).toEqual(
      refused ? [expect.stringMatching(/^MONGODB_URL .* MONGODB_ALLOW_INSECURE=true/)] : [],
    );
    expect(linesOf({ ...GOOD, ...servers, MONGODB_ALLOW_INSECURE: 'true' })).toEqual([]);
    expect(linesOf({ ...GOOD, ...servers, NODE_ENV: 'development' })).toEqual([]);
  });
});
