import { readEnvironment } from '#kernel/environment/environment.js';

const GIVEN = {
  SMTP_URL: 'smtp://mail.example',
  SMTP_FROM: 'access@example.com',
  PUBLIC_URL: 'https://access.example',
};
const PRODUCTION = {
  NODE_ENV: 'production',
  KEY_MASTER_SECRET: 'x'.repeat(32),
  SMS_PROVIDER: 'outbox',
  OPERATOR_EMAIL: 'ada@example.com',
  OPERATOR_PASSWORD: 'correct horse battery staple',
};

function smtpOf(variables: Readonly<Record<string, string>>) {
  return readEnvironment({ ...GIVEN, ...variables }).smtp;
}

test('Without SMTP_URL no mail is sent', () => {
  expect(readEnvironment({ SMTP_FROM: 'access@example.com' }).smtp).toBeUndefined();
});

test('The port is that of submission, or of TLS from the start', () => {
  expect(smtpOf({})).toMatchObject({ host: 'mail.example', port: 587 });
  expect(smtpOf({ SMTP_URL: 'smtps://mail.example' })).toMatchObject({ port: 465, tls: 'from_start' });
  expect(smtpOf({ SMTP_URL: 'smtp://[::1]:2525/' })).toMatchObject({ host: '::1', port: 2525 });
});

test('User and password are decoded', () => {
  const SMTP_URL = 'smtp://access%40example.com:a%2Fb%3Ac@mail.example';
  expect(smtpOf({ SMTP_URL })?.credentials).toEqual({ user: 'access@example.com', pass: 'a/b:c' });
  expect(smtpOf({})?.credentials).toBeUndefined();
});

test.each([
  [{}, 'required'],
  [{ SMTP_ALLOW_INSECURE: 'true' }, 'if_offered'],
  [{ SMTP_URL: 'smtp://localhost:25' }, 'if_offered'],
  [{ SMTP_URL: 'smtp://[::1]:25' }, 'if_offered'],
  [{ SMTP_URL: 'smtp://127.0.0.1' }, 'if_offered'],
])('In production %j takes TLS as %s', (variables, tls) => {
  expect(smtpOf({ ...PRODUCTION, ...variables })).toMatchObject({ tls });
});

test('A trial demands no TLS', () => {
  expect(smtpOf({})).toMatchObject({ tls: 'if_offered' });
});

test.each(['access@example.com', 'Storage access <access@example.com>', 'Über <a@b>'])(
  '%s may send',
  (from) => {
    expect(smtpOf({ SMTP_FROM: from })?.from).toBe(from);
  },
);

const FROM_FAULT =
  'SMTP_FROM must be an email address, such as access@example.com or Storage access <access@example.com>.';
const URL_FAULT = 'SMTP_URL must be a URL that begins with smtp:// or smtps://.';
const CREDENTIALS_FAULT = 'SMTP_URL must hold a user and a password, both percent-encoded, or neither.';

test.each([
  [{ SMTP_URL: 'mail.example' }, URL_FAULT],
  [{ SMTP_URL: 'https://user:hidden@mail.example' }, URL_FAULT],
  [{ SMTP_URL: 'smtp://' }, URL_FAULT],
  [{ SMTP_URL: 'smtp://user:hidden@mail.example/path' }, 'SMTP_URL must end after the host and the port.'],
  [{ SMTP_URL: 'smtp://mail.example?logger=true' }, 'SMTP_URL must end after the host and the port.'],
  [{ SMTP_URL: 'smtp://user@mail.example' }, CREDENTIALS_FAULT],
  [{ SMTP_URL: 'smtp://:hidden@mail.example' }, CREDENTIALS_FAULT],
  [{ SMTP_URL: 'smtp://user:hidden%@mail.example' }, CREDENTIALS_FAULT],
  [{ SMTP_FROM: '' }, 'SMTP_FROM is required with SMTP_URL.'],
  [{ SMTP_FROM: 'Storage access' }, FROM_FAULT],
  [{ SMTP_FROM: 'Storage access <>' }, FROM_FAULT],
  [{ SMTP_FROM: 'a@b\nBcc: eve@example.com' }, FROM_FAULT],
  [{ PUBLIC_URL: '' }, 'PUBLIC_URL is required with SMTP_URL: mails contain links.'],
])('%j ends the start with one line that hides the password', (variables, fault) => {
  expect(() => smtpOf(variables)).toThrow(new Error(fault));
});
