import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readEnvironment } from '../../src/config/environment.js';

interface ComposeService {
  readonly image?: string;
  readonly build?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly command?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
}

interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** What `docker compose config` would check first: names that the format knows, and references that lead somewhere. */
const SERVICE_KEYS = [
  'build',
  'cap_drop',
  'command',
  'depends_on',
  'environment',
  'healthcheck',
  'image',
  'ports',
  'read_only',
  'restart',
  'security_opt',
  'stop_grace_period',
  'tmpfs',
  'volumes',
];
const CONDITIONS = ['service_started', 'service_healthy', 'service_completed_successfully'];

const root = join(__dirname, '..', '..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const IMAGE = /^[\w/]+:\d+\.\d+\.\d+(?:-[\w-]+)?$/;

describe.each(['docker-compose.yml', 'docker-compose.embedded.yml'])('%s', (file) => {
  const compose = parse(read(file)) as ComposeFile;
  const services = Object.entries(compose.services);

  test.each(services)('%s is written as the format wants it', (_name, service) => {
    expect(SERVICE_KEYS).toEqual(expect.arrayContaining(Object.keys(service)));
    expect(service.image ?? service.build).toEqual(expect.any(String));
    for (const value of Object.values(service.environment ?? {})) expect(typeof value).toBe('string');
    for (const volume of service.volumes ?? [])
      expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
  });

  test.each(services)('%s waits for services that can become what it waits for', (_name, service) => {
    for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
      expect(Object.keys(compose.services)).toContain(other);
      expect(CONDITIONS).toContain(condition);
      if (condition === 'service_healthy') expect(compose.services[other]!.healthcheck).toBeDefined();
    }
  });

  test('no port is open to other machines', () => {
    const ports = services.flatMap(([, service]) => service.ports ?? []);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  test('names images by their exact version', () => {
    const images = services.flatMap(([, { image }]) => image ?? []);
    const usual = images.map((image) => image.replace(/^\$\{\w+:-(.*)\}$/, '$1'));
    expect(usual.filter((image) => !IMAGE.test(image))).toEqual([]);
  });

  test('the service can write nothing but its data, and gain no right', () => {
    expect(compose.services['service']).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      volumes: ['service-data:/data'],
    });
  });

  test('passes on what bears on messages and logs', () => {
    expect(Object.keys(compose.services['service']!.environment!)).toEqual(
      expect.arrayContaining([
        'SMS_PROVIDER',
        'TWILIO_ACCOUNT_SID',
        'TWILIO_AUTH_TOKEN',
        'TWILIO_FROM',
        'LOG_LEVEL',
        'ACCESS_LOG',
        'TRUSTED_PROXIES',
      ]),
    );
  });

  test('the service starts with its environment, and not without its secrets', () => {
    const environment = compose.services['service']!.environment!;
    const required = Object.entries(environment).filter(([, value]) => value.includes(':?'));
    expect(required.map(([name]) => name).sort()).toEqual([
      'KEY_MASTER_SECRET',
      'OPERATOR_EMAIL',
      'OPERATOR_PASSWORD',
      'SMS_PROVIDER',
    ]);
    for (const [name, value] of required)
      expect(value).toMatch(new RegExp(`^\\$\\{${name}:\\?set ${name} to `));
    const given = {
      ...Object.fromEntries(required.map(([name]) => [name, `ada@${'x'.repeat(40)}`])),
      SMS_PROVIDER: 'outbox',
    };
    // What need not be set has its value behind `:-`.
    const usual = Object.entries(environment).map(([name, value]) => [
      name,
      value.replace(/^\$\{\w+:-(.*)\}$/, '$1'),
    ]);
    const whole = { ...Object.fromEntries(usual), ...given } as Record<string, string>;
    expect(readEnvironment(whole)).toMatchObject({
      production: true,
      eventstore_url: environment['EVENTSTORE_URL'],
      mongodb_url: environment['MONGODB_URL'],
    });
  });
});

describe('Dockerfile', () => {
  const lines = read('Dockerfile').split('\n');
  const from = (beginning: string) => lines.filter((line) => line.startsWith(beginning));

  test('is made from images of an exact version', () => {
    const images = from('FROM ').map((line) => line.split(' ')[1]!);
    expect(images.length).toBeGreaterThan(1);
    expect(images.filter((image) => !IMAGE.test(image))).toEqual([]);
  });

  test('tells whether the process lives, not whether its stores do', () => {
    const place = lines.findIndex((line) => line.startsWith('HEALTHCHECK '));
    expect(lines[place + 1]).toContain('/health`');
  });

  test('the image runs as nobody special, stops by SIGTERM and tells its health', () => {
    expect(from('USER ')).toEqual(['USER node']);
    expect(from('STOPSIGNAL ')).toEqual(['STOPSIGNAL SIGTERM']);
    expect(from('HEALTHCHECK ')).toHaveLength(1);
    expect(from('CMD ')).toEqual(['CMD ["node", "dist/main.js"]']);
    expect(lines.filter((line) => line.includes('npm ci'))).toContainEqual(
      expect.stringContaining('--omit=dev'),
    );
  });

  test('everything it copies is let through by .dockerignore', () => {
    const letThrough = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const copied = from('COPY ')
      .filter((line) => !line.includes('--from='))
      .flatMap((line) => line.split(' ').slice(1, -1));
    expect(letThrough).toEqual(expect.arrayContaining(copied));
  });
});
