import { hkdfSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { CollectionDeclaration, DocumentStore } from '#eventsourcing/documents/document-store.js';
import { keepOnce } from '#eventsourcing/documents/kept-once.js';
import { keptSecret, readSecret } from '#kernel/kept-secret.js';

const FILE = 'key-master-secret';
const BYTES = 32;

interface MasterSecretSettings {
  /** `KEY_MASTER_SECRET`. Unset: the secret is read from `data_dir`, or made there. */
  readonly key_master_secret: string | undefined;
  /** True: another secret than before is accepted, although every lock then needs a new key. */
  readonly key_master_secret_rotate: boolean;
  readonly data_dir: string;
}

/** Identifies the secret that keys were made with, without revealing it. */
interface MasterSecretRecord {
  readonly _id: 'master_secret';
  readonly fingerprint: string;
}

export const MASTER_SECRETS: CollectionDeclaration<MasterSecretRecord> = {
  name: 'key_master_secrets',
  indexes: {},
};

/** Locks and issued keys belong to another secret. */
class OtherMasterSecretError extends Error {
  readonly code = 'other_master_secret';

  constructor(fault: string) {
    super(
      `KEY_MASTER_SECRET ${fault}. Set the secret that was used before. To give every lock a new key instead, start once with KEY_MASTER_SECRET_ROTATE=true.`,
    );
    this.name = 'OtherMasterSecretError';
  }
}

/**
 * The secret that all locks' keys derive from. It is configured, or made once and stored in the data directory. The records
 * contain its fingerprint, so that another secret is noticed.
 * @throws OtherMasterSecretError, StoreUnavailableError
 */
export async function readMasterSecret(
  settings: MasterSecretSettings,
  records: DocumentStore,
): Promise<Buffer> {
  const { key_master_secret, key_master_secret_rotate: rotate, data_dir } = settings;
  const record = await (await records.collection(MASTER_SECRETS)).get('master_secret');
  const path = join(data_dir, FILE);
  const text = key_master_secret ?? (await readKept(path));
  if (text === undefined && record !== undefined && !rotate) {
    throw new OtherMasterSecretError(`is not set, and ${path}, where one was made, is gone`);
  }
  const secret = Buffer.from(text ?? (await makeKept(path)), 'utf8');
  await keepFingerprint(records, fingerprintOf(secret), rotate);
  return secret;
}

/** @throws OtherMasterSecretError */
async function keepFingerprint(records: DocumentStore, fingerprint: string, rotate: boolean): Promise<void> {
  const document: MasterSecretRecord = { _id: 'master_secret', fingerprint };
  const kept = await keepOnce(records, MASTER_SECRETS, document, rotate);
  if (kept.fingerprint !== fingerprint) {
    throw new OtherMasterSecretError('is not the one that these records were made with');
  }
}

/** Derived with another label than locks' keys, so that it reveals nothing about them. */
function fingerprintOf(secret: Buffer): string {
  const derived = hkdfSync('sha256', secret, 'storage-access/fingerprint/1', '', BYTES);
  return Buffer.from(derived).toString('hex');
}

async function makeKept(path: string): Promise<string> {
  return assertWhole(await keptSecret(path, () => randomBytes(BYTES).toString('base64url')));
}

async function readKept(path: string): Promise<string | undefined> {
  const text = await readSecret(path);
  return text === undefined ? undefined : assertWhole(text);
}

/** A damaged secret would make keys that no lock accepts. */
function assertWhole(text: string): string {
  if (Buffer.from(text, 'base64url').length !== BYTES)
    throw new Error('The stored master secret is damaged.');
  return text;
}
