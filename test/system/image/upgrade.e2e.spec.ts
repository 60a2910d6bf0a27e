import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compiledService } from '../../support/compiled-service.js';
import { freePort } from '../../support/free-port.js';
import { HttpClient } from '../../support/http-client.js';
import { OPERATOR } from '../../support/service-process.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';

const GUIDE = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'install.md'), 'utf8');

const run = promisify(execFile);

let folder: TemporaryFolder;
let port: number;
let client: HttpClient;

/** The first block of commands under a heading of the guide, in folders of this test. */
function stepsOf(heading: string): string {
  const section = GUIDE.split(`\n## ${heading}\n`)[1]!;
  return /```sh\n([^]*?)```/
    .exec(section)![1]!
    .replaceAll(/(?<![\w/.])\/(?=(?:var|opt|root)\/)/g, `${folder.path}/`)
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`);
}

async function play(commands: string): Promise<string> {
  const PATH = `${join(folder.path, 'bin')}:${process.env['PATH']}`;
  return (await run('bash', ['--norc', '-euc', commands], { env: { PATH } })).stdout;
}

/** This program in place of the installed one, and of systemd. */
async function standIns(): Promise<Readonly<Record<string, string>>> {
  const { dist, packed } = await compiledService();
  const node = [process.execPath, ...packed].map((word) => `'${word}'`).join(' ');
  const data_dir = join(folder.path, 'var/lib/storage-access');
  const address = `HOST=127.0.0.1 PORT=${port} DATA_DIR='${data_dir}'`;
  const operator = `OPERATOR_EMAIL=${OPERATOR.email} OPERATOR_PASSWORD='${OPERATOR.password}'`;
  const pid = `'${join(folder.path, 'pid')}'`;
  return {
    'storage-access': `exec ${node} '${dist}/cli.js' "$@"`,
    npm: 'exit 0',
    chown: 'exit 0',
    systemctl: `case $1 in
start) ${address} ${operator} ${node} '${dist}/main.js' >'${join(folder.path, 'log')}' 2>&1 </dev/null & echo $! >${pid} ;;
stop) kill "$(cat ${pid})"; while kill -0 "$(cat ${pid})" 2>/dev/null; do sleep 0.05; done ;;
esac`,
  };
}

beforeAll(async () => {
  folder = await temporaryFolder();
  port = await freePort();
  for (const path of ['bin', 'root', 'var/backups/storage-access', 'var/lib/storage-access'])
    mkdirSync(join(folder.path, path), { recursive: true });
  for (const [name, text] of Object.entries(await standIns()))
    writeFileSync(join(folder.path, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const ready = stepsOf('Upgrade')
    .split('\n')
    .find((line) => line.startsWith('curl'))!;
  await play(`systemctl start storage-access\n${ready}`);
  client = new HttpClient(port);
});
afterAll(async () => {
  client.close();
  await play('systemctl stop storage-access');
  await folder.remove();
});

async function asOperator(method: 'get' | 'post', path: string, body?: object) {
  const session = await client.call('post', '/api/operator/sessions', { body: OPERATOR });
  return client.call(method, `/api/operator${path}`, { body, token: session.body.data.token });
}

async function companies(): Promise<string[]> {
  const { data } = (await asOperator('get', '/companies')).body;
  return (data.companies as { name: string }[]).map(({ name }) => name).sort();
}

it('an upgrade keeps everything, and a rollback ends where the backup was taken', async () => {
  await asOperator('post', '/companies', { name: 'Before' });
  await play(stepsOf('Upgrade'));
  expect(await companies()).toEqual(['Before']);
  await asOperator('post', '/companies', { name: 'After' });
  expect(await companies()).toEqual(['After', 'Before']);
  expect(await play(stepsOf('Roll back'))).toMatch(/^ok: /m);
  expect(await companies()).toEqual(['Before']);
});
