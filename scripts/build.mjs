/**
 * Builds the service into a new folder, and renames it to `dist` when it is complete. So a failed build replaces nothing, a
 * service that runs from `dist` goes on, and two builds at the same time do not disturb each other. It compiles nothing if
 * `dist` was built from the same files.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const TYPESCRIPT = createRequire(join(process.cwd(), 'package.json')).resolve('typescript/bin/tsc');
const fresh = `dist.${process.pid}`;
const outdated = `${fresh}.old`;

/** Everything that the result depends on. The lock file stands for the compiler and the types of packages. */
const SOURCES = ['src', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
/** Holds the digest of the sources, in the folder that was built from them. */
const DIGEST = '.built-from';

const remove = (folder) => rmSync(folder, { recursive: true, force: true });

/** @returns false if it failed with one of the expected error codes */
function moved(from, to, expected) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (expected.includes(error.code)) return false;
    throw error;
  }
}

/** Another build may put its result in place meanwhile. Then that one is replaced, too. */
function putInPlace() {
  do {
    remove(outdated);
    moved('dist', outdated, ['ENOENT']);
  } while (!moved(fresh, 'dist', ['ENOTEMPTY', 'EEXIST']));
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

/** Removes the folders of builds that were interrupted. Such a build may have had the same process number. */
function removeLeftovers() {
  for (const folder of readdirSync('.')) {
    const pid = Number(/^dist\.(\d+)(\.old)?$/.exec(folder)?.[1]);
    if (pid === process.pid || (pid > 0 && !isRunning(pid))) remove(folder);
  }
}

function digestSources() {
  const hash = createHash('sha256').update(readFileSync(new URL(import.meta.url)));
  for (const source of SOURCES.filter((name) => existsSync(name))) {
    for (const file of filesOf(source)) hash.update(`\0${file}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

function filesOf(source) {
  if (source !== 'src') return [source];
  const entries = readdirSync(source, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function isBuiltFrom(digest) {
  const known = join('dist', DIGEST);
  return existsSync(known) && readFileSync(known, 'utf8') === digest;
}

function build(digest) {
  // Programs read the standard output, so this goes to the error output. The compiler is silent for about a minute.
  console.error(
    'Building: TypeScript compiles src to dist. This takes about a minute, and only after a change.',
  );
  try {
    removeLeftovers();
    const options = ['-p', 'tsconfig.build.json', '--outDir', fresh];
    const compiled = spawnSync(process.execPath, [TYPESCRIPT, ...options], { stdio: 'inherit' });
    process.exitCode = compiled.status ?? 1;
    if (process.exitCode !== 0) return;
    cpSync('src/dashboard/assets/static', join(fresh, 'dashboard/assets/static'), { recursive: true });
    writeFileSync(join(fresh, DIGEST), digest);
    putInPlace();
  } finally {
    for (const folder of [fresh, outdated]) remove(folder);
  }
}

const digest = digestSources();
if (!isBuiltFrom(digest)) build(digest);
