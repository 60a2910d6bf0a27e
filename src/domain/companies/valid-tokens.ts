import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { API_TOKENS, type ApiTokenRecord, isValidToken } from './api-tokens.js';

/** The API tokens that are valid now. @param now milliseconds @throws StoreUnavailableError */
export async function validTokens(records: DocumentStore, now: number): Promise<ApiTokenRecord[]> {
  const tokens = await (await records.collection(API_TOKENS)).page(undefined, 100_000);
  return tokens.filter((record) => isValidToken(record, now));
}
