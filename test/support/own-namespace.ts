import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { waitUntil } from './wait-until.js';

const COMMAND = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child=SIGKILL'];

/** Runs a command as process 1 of its own, as a container does; undefined where this machine does not allow it. */
export const OWN_NAMESPACE = [COMMAND, [...COMMAND, '--map-root-user']].find(
  ([program, ...words]) => spawnSync(program!, [...words, 'true']).status === 0,
);

/** For a test that needs {@link OWN_NAMESPACE}: runs it, or says in its name that it did not run. */
export function inOwnNamespace(
  name: string,
  expectations: (command: readonly string[]) => Promise<void>,
): void {
  const command = OWN_NAMESPACE;
  if (command !== undefined) it(name, () => expectations(command));
  else
    it(`${name}: not run, as this machine allows no namespace of processes`, () =>
      expect(command).toBeUndefined());
}

/** The number that this machine gives the process which runs under `unshare`. */
export function numberUnder(pid: number): Promise<number> {
  return waitUntil(
    () => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0]),
    (child) => child > 0,
  );
}
