import { existsSync, statSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { STORE_FOLDER } from '#app/adapters.js';
import { systemClock } from '#kernel/clock.js';
import { toTimestamp } from '#kernel/timestamp.js';
import { type Environment, isOnServers } from '#kernel/environment/environment.js';
import { SERVICE_VERSION } from '#kernel/service-version.js';
import { SigningKey } from '#eventsourcing/proof/signing-key.js';
import { makeStoreFolder } from '#stores/embedded/database/store-folder.js';
import { syncFolder } from '#kernel/sync-folder.js';
import { CommandError, type Output, progressOfBytes, whileCopying } from '../output.js';
import { openStoreReader } from '../stores.js';
import {
  type BackedUpFile,
  copyFile,
  finishFile,
  measured,
  SECRET_FILE,
  STORE_FILE,
  writeManifest,
} from './backup-manifest.js';
import { checkStore, type StoreContents } from './store-check.js';

/**
 * Copies the store of `DATA_DIR` at one instant into an empty folder, with the master secret if the service made it. Then it
 * reads the whole copy, and signs the manifest. It works beside a running service.
 * @throws CommandError @throws StoreUnavailableError
 */
export async function backUp(folder: string, environment: Environment, output: Output): Promise<number> {
  assertEmbedded(environment);
  await assertEmpty(folder);
  makeStoreFolder(join(folder, STORE_FOLDER));
  await copyStore(folder, environment, output);
  const contents = await check(folder, environment, output);
  const copied = join(folder, STORE_FILE);
  const files = [
    await measured(copied, STORE_FILE, progressOfBytes(output, 'hashed', statSync(copied).size)),
    ...(await copySecret(folder, environment)),
  ];
  await syncFolder(join(folder, STORE_FOLDER));
  const key = await SigningKey.open(environment.audit_signing_key, environment.data_dir);
  const statement = {
    format: 1,
    service_version: SERVICE_VERSION,
    made_at: toTimestamp(systemClock.now()),
    stream_prefix: environment.eventstore_stream_prefix,
    ...contents,
    files,
  } as const;
  await writeManifest(folder, statement, key);
  printMissingSecrets(environment, output);
  const { events, streams, records } = contents;
  output.stdout.write(
    `ok: ${events} events in ${streams} streams and ${records} records are in ${folder}, signed with ${key.name}\n`,
  );
  return 0;
}

/** @throws CommandError if the stores are on servers */
export function assertEmbedded(environment: Environment): void {
  if (!isOnServers(environment)) return;
  throw new CommandError(
    'The stores are on servers. Back them up and restore them with their own tools (docs/operations.md).',
  );
}

async function assertEmpty(folder: string): Promise<void> {
  if (!existsSync(folder) || (await readdir(folder)).length === 0) return;
  throw new CommandError(`${folder} is not empty. Name an empty folder or a new one.`);
}

async function copyStore(folder: string, { data_dir }: Environment, output: Output): Promise<void> {
  const store = await openStoreReader(data_dir);
  try {
    const from = join(data_dir, STORE_FILE);
    const to = join(folder, STORE_FILE);
    await whileCopying(output, from, to, store.copyTo(join(folder, STORE_FOLDER)));
  } finally {
    await store.close();
  }
  await finishFile(join(folder, STORE_FILE));
}

async function check(folder: string, environment: Environment, output: Output): Promise<StoreContents> {
  try {
    return await checkStore(join(folder, STORE_FOLDER), environment, output);
  } finally {
    // The reader of the copy has made it.
    await rm(`${join(folder, STORE_FILE)}-lock`, { force: true });
  }
}

async function copySecret(folder: string, { data_dir }: Environment): Promise<BackedUpFile[]> {
  if (!existsSync(join(data_dir, SECRET_FILE))) return [];
  await copyFile(join(data_dir, SECRET_FILE), join(folder, SECRET_FILE));
  return [await measured(join(folder, SECRET_FILE), SECRET_FILE)];
}

function printMissingSecrets(
  { key_master_secret, audit_signing_key }: Environment,
  { stderr }: Output,
): void {
  const missing = [
    ...(key_master_secret === undefined ? [] : ['KEY_MASTER_SECRET']),
    audit_signing_key === undefined ? 'audit-signing-key in DATA_DIR' : 'AUDIT_SIGNING_KEY',
  ];
  stderr.write(`Not in this backup, keep apart from it: ${missing.join(', ')}.\n`);
}
