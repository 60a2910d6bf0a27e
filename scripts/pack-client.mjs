/** Packs the client as `storage-access-client`, a package for `npm install` without the service. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const TYPESCRIPT = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const { version, license, engines, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

const PACKAGE = {
  name: 'storage-access-client',
  version,
  description:
    'Calls the Storage Access Service from TypeScript and JavaScript, with types of its API description.',
  license,
  engines,
  main: './index.js',
  types: './index.d.ts',
  exports: {
    '.': { types: './index.d.ts', browser: './browser/index.js', default: './index.js' },
    './browser': { types: './index.d.ts', default: './browser/index.js' },
    './package.json': './package.json',
  },
  dependencies: { 'openapi-fetch': dependencies['openapi-fetch'] },
};

const destination = resolve(process.argv[2] ?? '.');
const folder = mkdtempSync(join(tmpdir(), 'storage-access-client-'));
try {
  const run = (program, parameters, options = {}) =>
    execFileSync(program, parameters, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
  run(process.execPath, [TYPESCRIPT, '-p', 'tsconfig.client.json', '--outDir', folder]);
  run(process.execPath, ['scripts/browser-client.mjs', join(folder, 'browser')]);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(PACKAGE, null, 2)}\n`);
  cpSync('src/client/README.md', join(folder, 'README.md'));
  cpSync('LICENSE', join(folder, 'LICENSE'));
  run('npm', ['pack', '--silent', '--pack-destination', destination], { cwd: folder });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
