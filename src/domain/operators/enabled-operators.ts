import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { OPERATORS, type OperatorRecord } from './operators.js';

/** The operators who can sign in, by age. @throws StoreUnavailableError */
export async function enabledOperators(
  records: DocumentStore,
): Promise<Pick<OperatorRecord, 'email' | 'role'>[]> {
  const operators = await (await records.collection(OPERATORS)).page(undefined, 10_000);
  return operators.filter(({ disabled }) => !disabled);
}
