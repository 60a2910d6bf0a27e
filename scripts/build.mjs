/**
 * Builds the service into a new folder, and renames it to `dist` when it is complete. So a failed build replaces nothing, a
 * service that runs from `dist` goes on, and two builds at the same time do not disturb each other.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const TYPESCRIPT = createRequire(join(process.cwd(), 'package.json')).resolve('typescript/bin/tsc');
const fresh = `dist.${process.pid}`;
const outdated = `${fresh}.old`;

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

// Programs read the standard output, so this goes to the error output. The compiler is silent for half a minute.
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
