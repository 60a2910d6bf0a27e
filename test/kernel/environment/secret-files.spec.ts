import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readEnvironment } from '#kernel/environment/environment.js';
import { SECRET_VARIABLES } from '#kernel/environment/secret-files.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';

let folder: TemporaryFolder;

beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

function fileWith(name: string, content: string): string {
  const path = join(folder.path, name);
  writeFileSync(path, content);
  return path;
}

function faultsOf(variables: Record<string, string>): string[] {
  try {
    readEnvironment(variables);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
}

test('every secret is read from the file that is named, without its last newline', () => {
  const environment = readEnvironment({
    KEY_MASTER_SECRET_FILE: fileWith('master', `${'m'.repeat(40)}\n`),
    OPERATOR_EMAIL: 'ada@example.com',
    OPERATOR_PASSWORD_FILE: fileWith('password', ' twelve characters \n\n'),
    SMS_PROVIDER: 'twilio',
    TWILIO_ACCOUNT_SID: 'AC1',
    TWILIO_FROM: '+13125550100',
    TWILIO_AUTH_TOKEN_FILE: fileWith('token', 'of twilio'),
    EVENTSTORE_URL_FILE: fileWith('eventstore', 'esdb://service:secret@one:2113\r\n'),
    MONGODB_URL_FILE: fileWith('mongodb', 'mongodb://localhost/records\n'),
    OIDC_ISSUER: 'https://id.example',
    OIDC_CLIENT_ID: 'storage',
    OIDC_CLIENT_SECRET_FILE: fileWith('client', 'of the provider\n'),
  });
  expect(environment).toMatchObject({
    key_master_secret: 'm'.repeat(40),
    operator: { email: 'ada@example.com', password: ' twelve characters \n' },
    sms: { auth_token: 'of twilio' },
    eventstore_url: 'esdb://service:secret@one:2113',
    mongodb_url: 'mongodb://localhost/records',
    sign_on: { client_secret: 'of the provider' },
  });
});

test.each(SECRET_VARIABLES)('%s: a file and a value at once, or a bad file, end the start', (name) => {
  const variable = `${name}_FILE`;
  const none = join(folder.path, 'none');
  expect(faultsOf({ [name]: 'x', [variable]: none })).toContain(
    `${name} and ${variable} are both set: set one of them.`,
  );
  expect(faultsOf({ [variable]: none })).toContain(`${variable} names a file that cannot be read (ENOENT).`);
  expect(faultsOf({ [variable]: fileWith('empty', '\n') })).toContain(`${variable} names an empty file.`);
});
