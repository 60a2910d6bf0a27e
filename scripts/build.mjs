/**
 * Builds the service into `dist`: beside it first, and put in place only when it is whole. A service that runs from there
 * goes on, builds at the same time do not disturb each other, and what does not compile replaces nothing.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const TYPESCRIPT = createRequire(join(process.cwd(), 'package.json')).resolve('typescript/bin/tsc');
const fresh = `dist.${process.pid}`;
const outdated = `${fresh}.old`;

const remove = (folder) => rmSync(folder, { recursive: true, force: true });

/** @returns whether it was there, and is now where it was to go. */
function moved(from, to, expected) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (expected.includes(error.code)) return false;
    throw error;
  }
}

/** Another build may put its own in place in between: then that one is outdated as well. */
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

/** What builds that were ended have left: one of them may have had the number of this process. */
function removeLeftovers() {
  for (const folder of readdirSync('.')) {
    const pid = Number(/^dist\.(\d+)(\.old)?$/.exec(folder)?.[1]);
    if (pid === process.pid || (pid > 0 && !isRunning(pid))) remove(folder);
  }
}

// Not to standard output, which others read; the compiler says nothing for half a minute.
console.error('Building…');
try {
  removeLeftovers();
  const compiled = spawnSync(process.execPath, [TYPESCRIPT, '-p', 'tsconfig.build.json', '--outDir', fresh], {
    stdio: 'inherit',
  });
  process.exitCode = compiled.status ?? 1;
  if (process.exitCode === 0) {
    cpSync('src/dashboard/assets/static', join(fresh, 'dashboard/assets/static'), { recursive: true });
    putInPlace();
  }
} finally {
  for (const folder of [fresh, outdated]) remove(folder);
}
