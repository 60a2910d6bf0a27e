import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { STORE_FOLDER } from '../../adapters.js';
import { systemClock, toTimestamp } from '../../config/clock.js';
import type { Environment } from '../../config/environment.js';
import { SERVICE_VERSION } from '../../config/service-version.js';
import { makeStoreFolder } from '../../storage/store-folder.js';
import { syncFolder } from '../../storage/sync-folder.js';
import { CommandError, type Output } from '../output.js';
import { openStoreReader } from '../stores.js';
import {
  type BackedUpFile,
  copyFile,
  finishFile,
  measured,
  SECRET_FILES,
  STORE_FILE,
  writeManifest,
} from './backup-manifest.js';
import { checkStore, type StoreContents } from './store-check.js';

/**
 * Copies the store of `DATA_DIR` as it is at one instant, beside a running service or alone, with the secrets that stand
 * beside it, into an empty folder; then reads the copy whole. A folder without its manifest is no backup.
 * @throws CommandError @throws StoreUnavailableError
 */
export async function backUp(folder: string, environment: Environment, output: Output): Promise<number> {
  demandEmbedded(environment);
  await demandEmpty(folder);
  makeStoreFolder(join(folder, STORE_FOLDER));
  await copyStore(folder, environment);
  const contents = await check(folder, environment, output);
  const files = [
    await measured(join(folder, STORE_FILE), STORE_FILE),
    ...(await copySecrets(folder, environment)),
  ];
  await syncFolder(join(folder, STORE_FOLDER));
  await writeManifest(folder, {
    format: 1,
    service_version: SERVICE_VERSION,
    made_at: toTimestamp(systemClock.now()),
    stream_prefix: environment.eventstore_stream_prefix,
    ...contents,
    files,
  });
  tellWhatIsElsewhere(environment, output);
  const { events, streams, records } = contents;
  output.stdout.write(`ok: ${events} events in ${streams} streams and ${records} records are in ${folder}\n`);
  return 0;
}

/** @throws CommandError where nothing of the service is in `DATA_DIR` */
export function demandEmbedded({ eventstore_url, mongodb_url }: Environment): void {
  if (eventstore_url === undefined || mongodb_url === undefined) return;
  throw new CommandError(
    'The stores are on servers: back them up and restore them with their own tools (docs/operations.md).',
  );
}

async function demandEmpty(folder: string): Promise<void> {
  if (!existsSync(folder) || (await readdir(folder)).length === 0) return;
  throw new CommandError(`${folder} is not empty: name a folder that is, or one that is yet to be made.`);
}

async function copyStore(folder: string, { data_dir }: Environment): Promise<void> {
  const store = await openStoreReader(data_dir);
  try {
    await store.copyTo(join(folder, STORE_FOLDER));
  } finally {
    await store.close();
  }
  await finishFile(join(folder, STORE_FILE));
}

async function check(folder: string, environment: Environment, output: Output): Promise<StoreContents> {
  try {
    return await checkStore(join(folder, STORE_FOLDER), environment, output);
  } finally {
    // A reader makes it for itself.
    await rm(`${join(folder, STORE_FILE)}-lock`, { force: true });
  }
}

/** Those that are there: each is made once, and never changed. */
async function copySecrets(folder: string, { data_dir }: Environment): Promise<BackedUpFile[]> {
  const names = SECRET_FILES.filter((name) => existsSync(join(data_dir, name)));
  for (const name of names) await copyFile(join(data_dir, name), join(folder, name));
  return Promise.all(names.map((name) => measured(join(folder, name), name)));
}

function tellWhatIsElsewhere(environment: Environment, { stderr }: Output): void {
  const { eventstore_url, mongodb_url, key_master_secret, audit_signing_key } = environment;
  const elsewhere = [
    eventstore_url !== undefined && 'the log on EVENTSTORE_URL',
    mongodb_url !== undefined && 'the records on MONGODB_URL',
    key_master_secret !== undefined && 'KEY_MASTER_SECRET',
    audit_signing_key !== undefined && 'AUDIT_SIGNING_KEY',
  ].filter((part) => part !== false);
  if (elsewhere.length > 0) stderr.write(`Not in this backup: ${elsewhere.join(', ')}.\n`);
}
