import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { OPERATORS, type OperatorRecord } from './operators.js';

/**
 * The operators whom a credential lets in, by age. An operator who was invited has none before the link is used.
 * @throws StoreUnavailableError
 */
export async function enabledOperators(
  records: DocumentStore,
): Promise<Pick<OperatorRecord, 'email' | 'role'>[]> {
  const operators = await (await records.collection(OPERATORS)).page(undefined, 10_000);
  return operators.filter(
    ({ disabled, password_state, sign_on }) =>
      !disabled && (password_state !== 'missing' || Boolean(sign_on)),
  );
}
