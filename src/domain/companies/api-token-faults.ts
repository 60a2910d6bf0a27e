import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { wholeList } from '#eventsourcing/documents/pages.js';
import { hashOf } from '#kernel/credential-hash.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { readFrom } from '#eventsourcing/writing/stored-stream.js';
import { API_TOKENS, type ApiTokenRecord } from './api-tokens.js';
import { COMPANY } from './company.aggregate.js';
import { type ApiTokenIssued, type CompanyEvent, companyStream } from './core/company.events.js';

/** A token according to its company's stream. */
interface LoggedToken {
  readonly issued: ApiTokenIssued['data'];
  readonly isRevoked: boolean;
}

/**
 * Compares the records of API tokens with the log.
 * @returns a line for each record that contradicts the log
 * @throws StoreUnavailableError
 */
export async function faultsOfApiTokens(records: DocumentStore, log: EventStore): Promise<string[]> {
  const tokens = await wholeList(await records.collection(API_TOKENS), 'by_company', { equals: [] });
  const companies = new Map<string, ReadonlyMap<string, LoggedToken>>();
  for (const { company_id } of tokens)
    if (!companies.has(company_id)) companies.set(company_id, await loggedTokens(log, company_id));
  return tokens.flatMap((token) => {
    const fault = faultOf(token, companies.get(token.company_id)!.get(token.token_id));
    return fault === undefined
      ? []
      : [`API token ${token.token_id} of company ${token.company_id} ${fault}. Revoke it.`];
  });
}

async function loggedTokens(log: EventStore, company_id: string): Promise<ReadonlyMap<string, LoggedToken>> {
  const tokens = new Map<string, LoggedToken>();
  const events = await readFrom<CompanyEvent>(log, COMPANY, companyStream(company_id), 0);
  for (const { type, data } of events) {
    if (type === 'ApiTokenIssued') tokens.set(data.token_id, { issued: data, isRevoked: false });
    if (type === 'ApiTokenRevoked')
      tokens.set(data.token_id, { ...tokens.get(data.token_id)!, isRevoked: true });
  }
  return tokens;
}

function faultOf(record: ApiTokenRecord, logged: LoggedToken | undefined): string | undefined {
  if (logged === undefined) return 'is in no event of the log';
  const { issued, isRevoked } = logged;
  if (hashOf(record._id) !== issued.credential_sha256) return 'has another value than the log says';
  if (record.scope !== issued.scope || record.expires_at !== issued.expires_at)
    return 'may do more or less than the log says';
  return isRevoked && record.revoked_at === null ? 'was revoked, but works again' : undefined;
}
