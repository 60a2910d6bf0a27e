import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const CACHE = join(__dirname, '..', '..', 'node_modules', '.cache');

/**
 * Installs packages of Python beside those of Node, once.
 * @param packages as pip takes them, `name==version`; the first one names the folder
 * @returns the folder of their programs
 * @throws Error that tells what is missing
 */
export async function pythonPackages(
  packages: readonly string[],
  say: (line: string) => void,
): Promise<string> {
  const folder = join(CACHE, packages[0]!.replace('==', '-'));
  const done = join(folder, 'installed');
  const isThere = await access(done).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    say(`installs ${packages.join(' ')} with pip`);
    try {
      await run('python3', ['-m', 'venv', '--clear', folder]);
      await run(join(folder, 'bin', 'pip'), ['install', '--quiet', ...packages]);
      await run('touch', [done]);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(
        `${packages.join(' ')} cannot be installed. That takes Python 3.10 or later, its venv and a package registry.\n${reason}`,
        { cause: error },
      );
    }
  }
  return join(folder, 'bin');
}
