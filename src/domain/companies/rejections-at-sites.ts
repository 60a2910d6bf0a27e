import { Inject, Injectable } from '@nestjs/common';
import type { CollectionDeclaration, DocumentStore } from '#eventsourcing/documents/document-store.js';
import { RECORDS } from '#kernel/injection-tokens.js';
import type { ApiTokenPrincipal } from '#kernel/principals.js';
import { REJECTED_WITHIN_MS, type RejectedAtSite, type RejectedBulk } from './rejected-bulk.js';

/** The newest bulk of a token with rejected rows of a location. `_id` names company, location and token. */
interface RejectedAtSiteRecord extends RejectedAtSite {
  readonly _id: string;
  /** The instant of the bulk. */
  readonly revision: number;
  readonly token_id: string;
  readonly expires_at: number;
}

const REJECTED_AT_SITES: CollectionDeclaration<RejectedAtSiteRecord> = {
  name: 'rejected_at_sites',
  indexes: { by_location: { fields: ['location_id'] } },
  expiry: 'expires_at',
};

/** Rejected rows by location, for operators who see some locations alone. Throws StoreUnavailableError. */
@Injectable()
export class RejectionsAtSites {
  constructor(@Inject(RECORDS) private readonly records: DocumentStore) {}

  /** Replaces older ones of these locations. @param at the instant of the bulk */
  async write(
    { id: token_id, company_id }: Pick<ApiTokenPrincipal, 'id' | 'company_id'>,
    at: number,
    sites: readonly RejectedAtSite[],
  ): Promise<void> {
    if (sites.length === 0) return;
    await this.records.collection(REJECTED_AT_SITES);
    const documents = sites.map((site): RejectedAtSiteRecord => ({
      ...site,
      _id: `${company_id} ${site.location_id} ${token_id}`,
      revision: at,
      token_id,
      expires_at: at + REJECTED_WITHIN_MS,
    }));
    const collection = REJECTED_AT_SITES.name;
    await this.records.write(documents.map((document) => ({ kind: 'put_if_newer', collection, document })));
  }

  /** The newest of each of these tokens at each of these locations, of the 24 hours before `now` (milliseconds). */
  async find(
    token_ids: readonly string[],
    location_ids: readonly string[],
    now: number,
  ): Promise<(RejectedBulk & { readonly token_id: string })[]> {
    const wanted = new Set(token_ids);
    const found = await (
      await this.records.collection(REJECTED_AT_SITES)
    ).findAny('by_location', location_ids);
    return found
      .filter(({ token_id, expires_at }) => wanted.has(token_id) && expires_at > now)
      .map(({ token_id, revision: at, total, error_count, refused, reasons }) => {
        return { token_id, at, total, error_count, refused, reasons };
      });
  }
}
