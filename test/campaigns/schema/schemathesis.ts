import { join } from 'node:path';
import { pythonPackages } from '../python-packages.js';

/**
 * The program, which is installed if it is not there; `SCHEMATHESIS` names another one.
 * @throws Error that tells what is missing
 */
export async function schemathesis(say: (line: string) => void): Promise<string> {
  const named = process.env['SCHEMATHESIS'];
  if (named !== undefined) return named;
  return join(await pythonPackages(['schemathesis==4.32.5'], say), 'schemathesis');
}
