import type { AnyBulkWriteOperation, Collection, Document, IndexDescription } from 'mongodb';
import {
  type CollectionPlan,
  expiresField,
  openPrefix,
  type StoredRecord,
  writerField,
} from './collection-plan.js';
import { mongodbCode, IndexDiffersError, isNamespaceMissing, unavailable } from './mongodb-errors.js';
import type { CallDeadline } from './call-deadline.js';

export interface NamedIndex extends IndexDescription {
  readonly name: string;
  readonly key: Record<string, number>;
}

/** The server removes expired documents an hour late, because its clock may be ahead. Reads check the expiry. */
export const removalDelaySeconds = 3_600;
const batch = 1_000;

/** The indexes of a collection. They use no options but `unique` and `expireAfterSeconds`, which every server has. */
function plannedIndexes(plan: CollectionPlan): NamedIndex[] {
  const indexes = plan.indexes.map(({ name, fields, unique }): NamedIndex => {
    // The declared fields come first, so that the first of them can be a shard key.
    const last = unique ? openPrefix + name : '_id';
    const key = Object.fromEntries([...fields, last].map((field) => [field, 1]));
    return unique ? { name, key, unique } : { name, key };
  });
  if (plan.expiry !== undefined) {
    const key = { [expiresField]: 1 };
    indexes.push({ name: expiresField, key, expireAfterSeconds: removalDelaySeconds });
  }
  return indexes;
}

/**
 * Creates the missing indexes of a collection. For many documents this takes long.
 * @throws IndexDiffersError @throws StoreUnavailableError
 */
export async function ensureIndexes(
  collection: Collection<StoredRecord>,
  plan: CollectionPlan,
  deadline: CallDeadline,
): Promise<void> {
  await ensurePlanned(collection, plannedIndexes(plan), deadline, () => openExisting(collection, plan));
}

/**
 * Creates the given indexes if they are missing.
 * @param beforeUnique called before a unique index is created
 * @throws IndexDiffersError @throws StoreUnavailableError
 */
export async function ensurePlanned<T extends Document>(
  collection: Collection<T>,
  indexes: readonly NamedIndex[],
  deadline: CallDeadline,
  beforeUnique?: () => Promise<void>,
): Promise<void> {
  try {
    const existing = await deadline.race('read', () => existingIndexes(collection));
    const missing = indexes.filter((planned) => !exists(collection, planned, existing));
    if (missing.length === 0) return;
    if (missing.some((index) => index.unique === true)) await beforeUnique?.();
    await createIndexes(collection, missing);
  } catch (error) {
    if (error instanceof IndexDiffersError) throw error;
    throw unavailable(error, 'write');
  }
}

/** Also compares the index with its declaration: not every server refuses a different index of the same name. */
function exists(
  collection: { readonly collectionName: string },
  planned: NamedIndex,
  existing: ReadonlyMap<string, NamedIndex>,
): boolean {
  const found = existing.get(planned.name);
  if (found === undefined) return false;
  const has = describe(found);
  const wants = describe(planned);
  if (has === wants) return true;
  throw new IndexDiffersError(
    collection.collectionName,
    planned.name,
    `the database has ${has}, this version declares ${wants}. Remove the index; the service builds it again.`,
  );
}

async function existingIndexes<T extends Document>(
  collection: Collection<T>,
): Promise<Map<string, NamedIndex>> {
  try {
    const indexes = (await collection.listIndexes().toArray()) as NamedIndex[];
    return new Map(indexes.map((index) => [index.name, index]));
  } catch (error) {
    if (isNamespaceMissing(error)) return new Map();
    throw error;
  }
}

async function createIndexes<T extends Document>(
  collection: Collection<T>,
  missing: NamedIndex[],
): Promise<void> {
  try {
    await collection.createIndexes(missing);
  } catch (error) {
    const optionsConflict = 85;
    const keySpecsConflict = 86;
    const code = mongodbCode(error);
    if (code !== optionsConflict && code !== keySpecsConflict) throw error;
    const names = missing.map((index) => index.name).join(' or ');
    throw new IndexDiffersError(collection.collectionName, names, (error as Error).message);
  }
}

function describe({ key, unique, expireAfterSeconds }: NamedIndex): string {
  const fields = Object.entries(key).map(([field, direction]) => [field, Number(direction)]);
  return JSON.stringify({
    key: Object.fromEntries(fields) as Record<string, number>,
    unique: unique === true,
    ...(expireAfterSeconds === undefined ? {} : { expireAfterSeconds: Number(expireAfterSeconds) }),
  });
}

/** Adds the `__open_` fields to documents that are older than their unique index. */
async function openExisting(collection: Collection<StoredRecord>, plan: CollectionPlan): Promise<void> {
  let updates: AnyBulkWriteOperation<StoredRecord>[] = [];
  for await (const record of collection.find()) {
    const open = plan.openFields(record);
    if (Object.keys(open).every((field) => record[field] !== undefined)) continue;
    // If a document was replaced meanwhile, the new one has its `__open_` fields: the filter leaves it alone.
    const filter = { _id: record._id, [writerField]: record[writerField] };
    updates.push({ updateOne: { filter, update: { $set: open } } });
    if (updates.length < batch) continue;
    await collection.bulkWrite(updates, { ordered: false });
    updates = [];
  }
  if (updates.length > 0) await collection.bulkWrite(updates, { ordered: false });
}
