/** Packs the client as `storage-access-client`, a package for `npm install` without the service. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const TYPESCRIPT = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const CLIENT = join('packages', 'client');

const destination = resolve(process.argv[2] ?? '.');
const folder = mkdtempSync(join(tmpdir(), 'storage-access-client-'));
const run = (program, parameters, options = {}) =>
  execFileSync(program, parameters, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
try {
  run(process.execPath, ['scripts/client-types.mjs']);
  run(process.execPath, [TYPESCRIPT, '-p', CLIENT, '--outDir', join(folder, 'dist')]);
  run(process.execPath, ['scripts/browser-client.mjs', join(folder, 'browser')]);
  for (const name of ['package.json', 'README.md']) cpSync(join(CLIENT, name), join(folder, name));
  cpSync('LICENSE', join(folder, 'LICENSE'));
  run('npm', ['pack', '--silent', '--pack-destination', destination], { cwd: folder });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
