import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { isSystemError } from '#kernel/system-error.js';

/** Another program, or a later version, wrote the folder. */
export class EmbeddedStoreFormatError extends Error {
  readonly code = 'embedded_store_format';

  constructor(
    readonly folder: string,
    readonly found: string,
    readable: string,
  ) {
    super(`The store in ${folder} has format ${found}; this program reads format ${readable}.`);
  }
}

/** The file is too short for its data, as after an interrupted copy. */
export class EmbeddedStoreDamagedError extends Error {
  readonly code = 'embedded_store_damaged';

  constructor(readonly folder: string) {
    super(`The store in ${folder} is damaged: its file is too short. Restore a backup.`);
  }
}

/**
 * Makes a folder and its missing parents. Only their owner can read them, because the records contain personal details.
 * Node's `recursive` option would loop for ever below a folder such as /proc.
 * @throws StoreUnavailableError
 */
export function makeStoreFolder(folder: string): void {
  const missing: string[] = [];
  for (let path = folder; !existsSync(path) && path !== dirname(path); path = dirname(path))
    missing.unshift(path);
  try {
    for (const path of missing) makeOne(path);
  } catch (error) {
    const { message } = error as Error;
    const text = deniedText(folder, message) ?? `The folder ${folder} cannot be made: ${message}.`;
    throw new StoreUnavailableError(text, false, { cause: error });
  }
}

/** @returns undefined if permissions are not the cause */
function deniedText(folder: string, message: string): string | undefined {
  const user = process.geteuid?.();
  if (user === undefined || !/^EACCES|^EPERM|permission denied/i.test(message)) return undefined;
  let path = folder;
  while (!existsSync(path) && path !== dirname(path)) path = dirname(path);
  return (
    `The service may not write to ${path}: it runs as user ${user}, and that folder has another owner. ` +
    `Run "chown -R ${user} ${path}" as root, or mount a folder that user ${user} owns.`
  );
}

function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isSystemError(error, 'EEXIST')) throw error;
  }
}

/** lmdb's errors, for reading and for writing, if another process with the same number locks its table of readers. */
const TAKEN_NUMBER = /No transaction to renew|null \(reading 'address'\)/;

function sameNumber(folder: string): string {
  return (
    `A process of another container has the store in ${folder} open, with the same process number (${process.pid}). ` +
    'Run commands in the container of the service: docker exec, docker compose exec or kubectl exec.'
  );
}

/** The error to show for a failed opening. Our own errors stay as they are, because they name their cause. */
export function openingError(folder: string, error: unknown): unknown {
  const { code, message, cause } = error as { code?: unknown; message: string; cause?: unknown };
  if (TAKEN_NUMBER.test(`${message} ${String(cause)}`))
    return new StoreUnavailableError(sameNumber(folder), false);
  const isOurs = code === 'store_unavailable' || String(code).startsWith('embedded_store_');
  if (isOurs) return error;
  const text = deniedText(folder, message) ?? `The store in ${folder} cannot be opened: ${message}.`;
  return new StoreUnavailableError(text, false, { cause: error });
}
