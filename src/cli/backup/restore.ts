import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { STORE_FOLDER, VIEWS_FOLDER } from '#app/adapters.js';
import type { Environment } from '#kernel/environment/environment.js';
import { publicKeyName, SigningKey } from '#eventsourcing/proof/signing-key.js';
import { makeStoreFolder } from '#stores/embedded/database/store-folder.js';
import { syncFolder } from '#kernel/sync-folder.js';
import { systemClock } from '#kernel/clock.js';
import { type ApiTokenRecord, validTokens } from '#domain/companies/index.js';
import {
  enabledOperators,
  endAllSessions,
  type OperatorRecord,
  voidInvitations,
} from '#domain/operators/index.js';
import { endAllLogins } from '#domain/tenants/index.js';
import { switchOffNotices } from '#domain/notices/index.js';
import { switchOffSummaries } from '#domain/summaries/index.js';
import { switchOffWebhooks } from '#domain/webhooks/index.js';
import { openEmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { EmbeddedDocumentStore } from '#stores/embedded/documents/embedded-document-store.js';
import {
  CommandError,
  type Output,
  printNoticesOff,
  printSummariesOff,
  printWebhooksOff,
  progressOfBytes,
  UsageError,
  whileCopying,
} from '../output.js';
import { assertEmbedded } from './backup.js';
import { type BackupManifest, copyFile, measured, readManifest, STORE_FILE } from './backup-manifest.js';
import { checkStore } from './store-check.js';

/**
 * Copies a backup into a `DATA_DIR` without a store. Before, it checks the signature of the manifest, checks each file against
 * the manifest, and reads the whole store. After a failure `DATA_DIR` is unchanged. The next start makes the views.
 * @param key the public key that must have signed the manifest; absent: that of `AUDIT_SIGNING_KEY` or of `DATA_DIR`
 * @throws CommandError @throws StoreUnavailableError @throws OtherStreamPrefixError
 */
export async function restore(
  folder: string,
  key: string | undefined,
  environment: Environment,
  output: Output,
): Promise<number> {
  const { data_dir } = environment;
  assertEmbedded(environment);
  assertNoStore(data_dir);
  const manifest = await readManifest(folder, await assertKey(key, environment));
  const secrets = manifest.files.map(({ name }) => name).filter((name) => name !== STORE_FILE);
  for (const name of secrets) await assertSameOrNone(join(folder, name), join(data_dir, name));
  const moved: string[] = [];
  const draft = join(data_dir, `restoring-${randomBytes(4).toString('hex')}`);
  try {
    makeStoreFolder(join(draft, STORE_FOLDER));
    for (const { name } of manifest.files) {
      const from = join(folder, name);
      const to = join(draft, name);
      await whileCopying(output, from, to, copyFile(from, to));
    }
    await assertAsWritten(draft, manifest, output);
    const { events, streams, records } = await checkStore(join(draft, STORE_FOLDER), environment, output);
    for (const name of secrets.filter((one) => !existsSync(join(data_dir, one)))) {
      await rename(join(draft, name), join(data_dir, name));
      moved.push(join(data_dir, name));
    }
    const credentials = await endWhatWasTaken(join(draft, STORE_FOLDER));
    // The store is renamed last, because the restore is complete with it.
    await rm(`${join(draft, STORE_FILE)}-lock`, { force: true });
    await syncFolder(join(draft, STORE_FOLDER));
    await rename(join(draft, STORE_FOLDER), join(data_dir, STORE_FOLDER));
    await syncFolder(data_dir);
    output.stdout.write(
      `ok: ${events} events in ${streams} streams and ${records} records of ${manifest.made_at} are in ${data_dir}\n`,
    );
    printWebhooksOff(output, credentials.webhooksOff);
    printNoticesOff(output, credentials.noticesOff);
    printSummariesOff(output, credentials.summariesOff);
    printCredentials(output, credentials);
    return 0;
  } catch (error) {
    // Remove the secrets again, or a new service in this folder would use them.
    if (!existsSync(join(data_dir, STORE_FOLDER))) for (const path of moved) await rm(path, { force: true });
    throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** The key never comes from the backup: an attacker could have signed the manifest with another key. */
async function assertKey(
  given: string | undefined,
  { audit_signing_key, data_dir }: Environment,
): Promise<string> {
  if (given !== undefined) {
    const name = publicKeyName(given);
    if (name === undefined)
      throw new UsageError('--key must be a public key as storage-access audit key prints it.');
    return name;
  }
  const own = await SigningKey.known(audit_signing_key, data_dir);
  if (own !== undefined) return own.name;
  throw new CommandError(
    'The backup cannot be checked without a key. Set AUDIT_SIGNING_KEY, or name with --key the public key that backup printed.',
  );
}

function assertNoStore(data_dir: string): void {
  const there = [STORE_FOLDER, VIEWS_FOLDER].find((name) => existsSync(join(data_dir, name)));
  if (there === undefined) return;
  throw new CommandError(
    `${join(data_dir, there)} exists already. Move it away, or set DATA_DIR to another folder.`,
  );
}

/** A different secret in `DATA_DIR` is not overwritten: keys made with it may be in use. */
async function assertSameOrNone(from: string, to: string): Promise<void> {
  if (!existsSync(to) || !existsSync(from)) return;
  if ((await readFile(from)).equals(await readFile(to))) return;
  throw new CommandError(`${to} differs from the backup's. Move it away if nobody needs it.`);
}

async function assertAsWritten(draft: string, { files }: BackupManifest, output: Output): Promise<void> {
  for (const { name, bytes, sha256 } of files) {
    const found = await measured(join(draft, name), name, progressOfBytes(output, 'hashed', bytes));
    if (found.bytes === bytes && found.sha256 === sha256) continue;
    throw new CommandError(
      `${name} of the backup differs from its manifest. It was changed or is damaged: use another backup.`,
    );
  }
}

/** What of a restored store lets somebody in, or did. */
interface RestoredCredentials {
  /** How many webhooks were on. */
  readonly webhooksOff: number;
  readonly noticesOff: boolean;
  /** How many morning summaries were on. */
  readonly summariesOff: number;
  readonly sessionsEnded: number;
  /** How many links of operators still worked. */
  readonly invitationsVoid: number;
  readonly tokens: readonly Pick<ApiTokenRecord, 'token_id' | 'name' | 'company_id'>[];
  readonly operators: readonly Pick<OperatorRecord, 'email' | 'role'>[];
}

/** Ends what may have ended since the backup: sessions, codes, invitations, webhooks and texts to tenants. */
async function endWhatWasTaken(folder: string): Promise<RestoredCredentials> {
  const store = await openEmbeddedDatabase({ folder, durable: true, clock: systemClock });
  const records = new EmbeddedDocumentStore(store, systemClock);
  try {
    return {
      webhooksOff: await switchOffWebhooks(records),
      noticesOff: await switchOffNotices(records),
      summariesOff: await switchOffSummaries(records),
      sessionsEnded: (await endAllLogins(records)) + (await endAllSessions(records)),
      invitationsVoid: await voidInvitations(records, systemClock),
      tokens: await validTokens(records, systemClock.now()),
      operators: await enabledOperators(records),
    };
  } finally {
    await records.close();
  }
}

function printCredentials(
  { stdout }: Pick<Output, 'stdout'>,
  { sessionsEnded, invitationsVoid, tokens, operators }: RestoredCredentials,
): void {
  stdout.write(`All sessions (${sessionsEnded}) and codes ended. Everybody signs in again.\n`);
  if (invitationsVoid > 0)
    stdout.write(
      `The links of ${invitationsVoid} invited operators ended. Send new ones from the page Operators.\n`,
    );
  const lines = [
    ...tokens.map(
      ({ token_id, name, company_id }) => `  API token ${token_id} (${name}) of company ${company_id}`,
    ),
    ...operators.map(({ email, role }) => `  operator ${email} (${role})`),
  ];
  if (lines.length === 0) return;
  stdout.write(
    `Check these. What was revoked, removed or changed since the backup, also passwords and recovery codes, is back:\n${lines.join('\n')}\n`,
  );
}
