import { readFileSync, writeFileSync } from 'node:fs';
import { type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { opened } from '../hostile/raw-client.js';
import type { Answer, CallOptions, Method } from '../../support/http-client.js';
import { ServiceProcess, type Setup, setUpCompany } from '../../support/service-process.js';
import { waitUntil } from '../../support/wait-until.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';

/** Whether what an attack costs is printed, as the documentation tells it. */
const TELLS_FIGURES = process.env['ABUSE_FIGURES'] !== undefined;

/** How many requests an attack has: a fifth shows what stops a service. */
const some = (whole: number): number => (TELLS_FIGURES ? whole : whole / 5);

/**
 * The most processor time that an attack costs, in seconds, whatever else the machine does meanwhile. Far beyond what is
 * seen: a service that is stopped by one request takes a second for each.
 */
const MOST_SECONDS = some(20);
const READS_A_MINUTE = some(200);
/** Of 1.9 MB each: more than may wait, and together more than the process may grow by. */
const SLOW_BODIES = TELLS_FIGURES ? 150 : 100;
const MEGABYTE = 1024 * 1024;

let folder: TemporaryFolder;
let service: ServiceProcess;
let setup: Setup;
const held: Socket[] = [];
beforeAll(async () => {
  folder = await temporaryFolder();
  service = await ServiceProcess.start(folder.path, {
    environment: { RATE_LIMIT_READS: String(READS_A_MINUTE) },
  });
  setup = await setUpCompany(service);
});
afterAll(async () => {
  for (const socket of held) socket.destroy();
  await service.kill();
  await folder.remove();
});

/** Memory of the process now, or its peak since `forgetPeak`. 0 if the system does not tell. */
function residentBytes(which: 'VmRSS' | 'VmHWM'): number {
  try {
    const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
    return Number(new RegExp(`${which}:\\s+(\\d+)`).exec(status)![1]) * 1024;
  } catch {
    return 0;
  }
}

/** Seconds of processor time that the process has taken so far, to a hundredth; 0 where the system does not tell. */
function processorSeconds(): number {
  try {
    const [, figures] = readFileSync(`/proc/${service.pid}/stat`, 'utf8').split(') ');
    const [user, system] = figures!.split(' ').slice(11, 13).map(Number);
    return (user! + system!) / 100;
  } catch {
    return 0;
  }
}

function forgetPeak(): void {
  try {
    writeFileSync(`/proc/${service.pid}/clear_refs`, '5');
  } catch {
    // Then the peak is that of the process's whole life.
  }
}

interface Cost {
  readonly statuses: Readonly<Record<number, number>>;
  readonly seconds: number;
  /** Answers that somebody else got meanwhile. */
  readonly served: number;
  readonly grownMegabytes: number;
}

/** Attacks, while somebody else asks for their unit again and again. */
async function costOf(
  name: string,
  attack: () => Promise<readonly { readonly status: number }[]>,
): Promise<Cost> {
  forgetPeak();
  const before = residentBytes('VmRSS');
  let isOver = false;
  let served = 0;
  const begun = processorSeconds();
  const bystander = (async () => {
    while (!isOver) {
      const { status } = await service.client.call('get', '/health');
      if (status === 200) served += 1;
    }
  })();
  const answers = await attack();
  isOver = true;
  await bystander;
  const statuses: Record<number, number> = {};
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
  const seconds = processorSeconds() - begun;
  const grownMegabytes = Math.round((residentBytes('VmHWM') - before) / MEGABYTE);
  if (TELLS_FIGURES) {
    const told = {
      name,
      refused: statuses,
      seconds,
      served,
      grown_mb: grownMegabytes,
    };
    process.stdout.write(`${JSON.stringify(told)}\n`);
  }
  return { statuses, seconds, served, grownMegabytes };
}

const many = (count: number, method: Method, path: string, options: CallOptions): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, () => service.client.call(method, path, options)));

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('what somebody else waits for meanwhile', () => {
  it.each<[string, number, () => Promise<readonly { readonly status: number }[]>]>([
    [
      `${some(200)} bodies without a credential, 2 KB that unfold to a million arrays`,
      415,
      () => {
        const body = gzipSync(nested(1_000_000)).toString('latin1');
        const headers = { 'Content-Encoding': 'gzip' };
        return many(some(200), 'post', '/api/operator/sessions', { body, headers });
      },
    ],
    [
      `${some(200)} nested bodies without a credential`,
      400,
      () => many(some(200), 'post', '/api/v2/auth/phone', { body: nested(4_000) }),
    ],
    [
      `${some(50)} nested bodies of 1 MB from a PMS`,
      400,
      () => many(some(50), 'patch', '/api/v2/units', { body: nested(500_000), token: setup.token }),
    ],
    [
      `${some(300)} tokens that were made up`,
      401,
      () => many(some(300), 'get', '/api/v2/units', { token: `sat_${'x'.repeat(43)}` }),
    ],
    [
      `${some(300)} bodies that never come`,
      401,
      () =>
        Promise.all(
          Array.from({ length: some(300) }, async () => {
            const socket = await opened(service.port);
            held.push(socket);
            socket.on('error', () => undefined);
            socket.write('PATCH /api/v2/units HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n');
            const status = await new Promise<number>((resolve) =>
              socket.once('data', (bytes) => resolve(Number(bytes.toString('latin1', 9, 12)))),
            );
            return { status };
          }),
        ),
    ],
  ])('%s', async (name, status, attack) => {
    const { statuses, seconds, served, grownMegabytes } = await costOf(name, attack);
    expect(Object.keys(statuses)).toEqual([String(status)]);
    expect(served).toBeGreaterThan(0);
    expect(seconds).toBeLessThan(MOST_SECONDS);
    expect(grownMegabytes).toBeLessThan(200);
  });

  it(`${SLOW_BODIES} bodies of 1.9 MB that one PMS begins and does not end`, async () => {
    const head = `PATCH /api/v2/units HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${setup.token}\r\nContent-Type: application/json\r\nContent-Length: 1900000\r\n\r\n`;
    const begun = Buffer.from(head + ' '.repeat(1_800_000));
    // Eight are read, sixty-four wait, and the rest is refused at once.
    const refused = SLOW_BODIES - 8 - 64;
    const { statuses, seconds, served, grownMegabytes } = await costOf('slow bodies', async () => {
      const answers: { readonly status: number }[] = [];
      await Promise.all(
        Array.from({ length: SLOW_BODIES }, async () => {
          const socket = await opened(service.port);
          held.push(socket);
          socket.on('error', () => undefined);
          socket.on('data', (bytes) => answers.push({ status: Number(bytes.toString('latin1', 9, 12)) }));
          socket.write(begun);
        }),
      );
      await waitUntil(
        () => answers.length,
        (count) => count >= refused,
      );
      return answers.slice(0, refused);
    });
    expect(statuses).toEqual({ 429: refused });
    expect(served).toBeGreaterThan(0);
    expect(seconds).toBeLessThan(MOST_SECONDS);
    // All of them are more than 180 MB.
    expect(grownMegabytes).toBeLessThan(150);
  });

  it('a flood of 120 sign-ins', async () => {
    const body = { email: 'somebody@example.com', password: 'a wrong password' };
    const { statuses, seconds, served } = await costOf('sign-ins', () =>
      many(120, 'post', '/api/operator/sessions', { body }),
    );
    expect(statuses).toEqual({ 401: 5, 429: 115 });
    expect(served).toBeGreaterThan(0);
    expect(seconds).toBeLessThan(MOST_SECONDS);
  });

  it(`${some(1_000)} lists of one company`, async () => {
    const { token } = setup;
    const { statuses, seconds, served } = await costOf('lists', () =>
      many(some(1_000), 'get', '/api/v2/units', { token }),
    );
    expect(statuses[200]! + statuses[429]!).toBe(some(1_000));
    expect(statuses[200]).toBeLessThanOrEqual(READS_A_MINUTE);
    expect(served).toBeGreaterThan(0);
    expect(seconds).toBeLessThan(MOST_SECONDS);
  });
});
