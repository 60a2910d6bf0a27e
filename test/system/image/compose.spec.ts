import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readEnvironment } from '#kernel/environment/environment.js';

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
  readonly init?: boolean;
  readonly mem_limit?: string;
  readonly logging?: { readonly options: Readonly<Record<string, string>> };
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
  'init',
  'logging',
  'mem_limit',
  'ports',
  'read_only',
  'restart',
  'security_opt',
  'stop_grace_period',
  'tmpfs',
  'volumes',
];
const CONDITIONS = ['service_started', 'service_healthy', 'service_completed_successfully'];

const root = join(__dirname, '..', '..', '..');
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

  test.each(services)('%s has bounds on its memory and its logs', (_name, service) => {
    expect(service.mem_limit).toMatch(/^\d+g$/);
    expect(service.logging?.options).toEqual({ 'max-size': '10m', 'max-file': '5' });
  });

  test('needs no variable to be stopped or looked at, and passes signals on', () => {
    expect(read(file)).not.toMatch(/\$\{\w+:?\?/);
    expect(compose.services['service']!.init).toBe(true);
  });

  test('the service starts with .env filled in, and names what is missing otherwise', () => {
    const environment = compose.services['service']!.environment!;
    const startedWith = (filled: Readonly<Record<string, string>>) => {
      const value = (text: string) =>
        text.replace(/\$\{(\w+):-(.*)\}/, (_, name: string, usual: string) => filled[name] ?? usual);
      return () =>
        readEnvironment(
          Object.fromEntries(Object.entries(environment).map(([name, text]) => [name, value(text)])),
        );
    };
    const missing = ['KEY_MASTER_SECRET', 'SMS_PROVIDER', 'OPERATOR_PASSWORD'];
    expect(startedWith({})).toThrow(
      new RegExp(`^${missing.map((name) => `${name} is required .*`).join('\n')}$`),
    );
    const filled = {
      KEY_MASTER_SECRET: 'x'.repeat(64),
      OPERATOR_EMAIL: 'ada@example.com',
      OPERATOR_PASSWORD: 'correct horse battery staple',
      SMS_PROVIDER: 'outbox',
    };
    const { EVENTSTORE_URL, MONGODB_URL } = environment;
    expect(startedWith(filled)()).toMatchObject({
      production: true,
      eventstore_url: EVENTSTORE_URL,
      mongodb_url: MONGODB_URL,
    });
    const offered = [...read('.env.example').matchAll(/^(\w+)=$/gm)].map(([, name]) => name!);
    expect(Object.keys(environment)).toEqual(expect.arrayContaining(offered));
    expect(offered).toEqual(expect.arrayContaining([...Object.keys(filled), 'PUBLIC_URL']));
    expect(read('.gitignore').split('\n')).toContain('.env');
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
    expect(from('CMD ')).toEqual([
      'CMD ["node", "--max-semi-space-size=64", "--heap-growing-percent=100", "dist/main.js"]',
    ]);
    expect(lines.filter((line) => line.includes('npm ci'))).toContainEqual(
      expect.stringContaining('--omit=dev'),
    );
  });

  test('older builders understand it', () => {
    expect(read('Dockerfile')).not.toMatch(/^# syntax=|--start-interval|--mount=|<<EOF/m);
  });

  test('everything it copies is let through by .dockerignore', () => {
    const letThrough = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const copied = from('COPY ')
      .filter((line) => !line.includes('--from='))
      .flatMap((line) => line.split(' ').slice(1, -1));
    expect(
      copied.filter((path) => !letThrough.some((top) => path === top || path.startsWith(`${top}/`))),
    ).toEqual([]);
  });
});
