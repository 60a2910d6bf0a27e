import { isDeepStrictEqual } from 'node:util';
import type {
  CollectionDeclaration,
  DocumentStore,
  StoredDocument,
} from '#eventsourcing/documents/document-store.js';
import type { LogProgress } from '#eventsourcing/log/log-progress.js';
import { CommandError } from '../output.js';
import type { MigrationSource } from './migration-source.js';

/** Copies every collection of records with its indexes and its expiry. @returns how many documents there are */
export async function copyRecords(
  source: MigrationSource,
  target: DocumentStore,
  progress: LogProgress,
): Promise<number> {
  const all = await countOf(source);
  let copied = 0;
  for (const declaration of source.collections()) {
    await target.collection(declaration);
    for await (const documents of source.documents(declaration)) {
      await putAll(target, declaration, documents);
      copied += documents.length;
      progress(copied, copied / all);
    }
  }
  return copied;
}

async function countOf(source: MigrationSource): Promise<number> {
  let count = 0;
  for (const declaration of source.collections())
    for await (const documents of source.documents(declaration)) count += documents.length;
  return count;
}

async function putAll(
  target: DocumentStore,
  { name }: CollectionDeclaration,
  documents: readonly StoredDocument[],
): Promise<void> {
  const outcomes = await target.write(
    documents.map((document) => ({ kind: 'put', collection: name, document })),
  );
  for (const outcome of outcomes) {
    if (outcome.kind === 'written') continue;
    const key = outcome.kind === 'duplicate' ? ` (${outcome.index})` : '';
    throw new CommandError(
      `A record of ${name} is refused: the target holds another with its key${key}: it has been worked on. ` +
        'Migrate into an empty database.',
    );
  }
}

/** Demands that the target holds every record as the source does. @throws CommandError */
export async function compareRecords(
  source: MigrationSource,
  target: DocumentStore,
  now: () => number,
  progress: LogProgress,
): Promise<void> {
  const all = await countOf(source);
  let compared = 0;
  for (const declaration of source.collections()) {
    const collection = await target.collection(declaration);
    for await (const documents of source.documents(declaration)) {
      const found = await collection.getMany(documents.map(({ _id }) => _id));
      documents.forEach((document, index) => {
        if (isDeepStrictEqual(found[index], document) || isOver(declaration, document, now())) return;
        throw new CommandError(`Record ${document._id} of ${declaration.name} differs in the target.`);
      });
      compared += documents.length;
      progress(compared, compared / all);
    }
  }
}

/** Whether the document expired while it was being compared. */
function isOver({ expiry }: CollectionDeclaration, document: StoredDocument, now: number): boolean {
  const instant = expiry === undefined ? undefined : (document as unknown as Record<string, unknown>)[expiry];
  return typeof instant === 'number' && instant <= now;
}
