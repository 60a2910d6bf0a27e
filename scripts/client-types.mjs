/**
 * Writes the types of the client if what they are made of has changed: `npm run client:types`. They are made of the service's
 * own description, as its source has it, and are not in git.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const TYPES = join(ROOT, 'packages', 'client', 'src', 'generated', 'openapi.ts');
const GENERATOR = join('test', 'contracts');

const isSource = (name) => /\.tsx?$/.test(name);
const sourcesIn = (folder) =>
  readdirSync(join(ROOT, folder), { recursive: true })
    .filter(isSource)
    .map((name) => join(folder, name));

function fingerprintOfSources() {
  const hash = createHash('sha256');
  for (const name of [...sourcesIn('src'), ...sourcesIn(GENERATOR), 'package-lock.json'].sort())
    hash.update(`${name}\n`).update(readFileSync(join(ROOT, name)));
  return hash.digest('hex');
}

function areMadeOf(fingerprint) {
  return existsSync(TYPES) && readFileSync(TYPES, 'utf8').includes(fingerprint);
}

const fingerprint = fingerprintOfSources();
if (!areMadeOf(fingerprint)) {
  // Programs read the standard output, so this goes to the error output.
  console.error('Writing the types of the client…');
  const compiler = join(ROOT, 'scripts', 'run-typescript.cjs');
  const generator = join(ROOT, GENERATOR, 'write-client-types.ts');
  const made = spawnSync(process.execPath, ['-r', compiler, generator, TYPES, fingerprint], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  process.exitCode = made.status ?? 1;
}
