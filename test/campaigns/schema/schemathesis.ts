import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const VERSION = '4.32.5';
const FOLDER = join(__dirname, '../../../node_modules/.cache', `schemathesis-${VERSION}`);

/**
 * The program, installed beside the packages where it is not there; `SCHEMATHESIS` names another one.
 * @throws Error telling what is missing
 */
export async function schemathesis(say: (line: string) => void): Promise<string> {
  const named = process.env['SCHEMATHESIS'];
  if (named !== undefined) return named;
  const program = join(FOLDER, 'bin', 'schemathesis');
  const isThere = await access(program).then(
    () => true,
    () => false,
  );
  if (isThere) return program;
  say(`installs schemathesis ${VERSION} with pip`);
  try {
    await run('python3', ['-m', 'venv', '--clear', FOLDER]);
    await run(join(FOLDER, 'bin', 'pip'), ['install', '--quiet', `schemathesis==${VERSION}`]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `schemathesis cannot be installed, which takes Python 3.10, its venv and a registry of packages; name one that is there in SCHEMATHESIS.\n${reason}`,
      { cause: error },
    );
  }
  return program;
}
