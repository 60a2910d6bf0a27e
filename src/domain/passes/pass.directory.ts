import { Inject, Injectable } from '@nestjs/common';
import { VIEWS } from '#kernel/injection-tokens.js';
import type { Collection, DocumentStore } from '#eventsourcing/documents/document-store.js';
import { wholeList } from '#eventsourcing/documents/pages.js';
import { isPossibleId } from '#kernel/possible-id.js';
import { type PassDocument, PASSES } from './pass.documents.js';

/** What passes are looked up by. */
export type PassIndex = 'by_location' | 'by_tenant' | 'by_entry_point' | 'by_unit';

/**
 * Reads passes from the views, which contain every answered write. Ids may belong to any company.
 * @throws StoreUnavailableError from every method
 */
@Injectable()
export class PassDirectory {
  constructor(@Inject(VIEWS) private readonly views: DocumentStore) {}

  async pass(pass_id: string): Promise<PassDocument | undefined> {
    return isPossibleId(pass_id) ? (await this.#passes()).get(pass_id) : undefined;
  }

  /** In the order of `pass_ids`; undefined if there is none. */
  async passes(pass_ids: readonly string[]): Promise<(PassDocument | undefined)[]> {
    return pass_ids.length === 0 ? [] : (await this.#passes()).getMany(pass_ids);
  }

  /**
   * The passes that have or had to do with a thing and ended after an instant (milliseconds), or have not ended. A pass that
   * was changed may have to do with it no more. The one that ends first is the first.
   */
  async endingAfter(index: PassIndex, id: string, instant: number): Promise<PassDocument[]> {
    return wholeList(await this.#passes(), index, { equals: [id], from: instant + 1 });
  }

  /** All that have or had to do with a thing. */
  ever(index: PassIndex, id: string): Promise<PassDocument[]> {
    return this.endingAfter(index, id, -1);
  }

  /** The passes that an account holds and that have not ended, and those that it held after an instant (milliseconds). */
  async heldSince(tenant_id: string, instant: number): Promise<PassDocument[]> {
    const passes = await this.endingAfter('by_tenant', tenant_id, instant);
    // A pass that another account has now was given away at its last change, or before.
    return passes.filter((pass) => pass.tenant_id === tenant_id || pass.last_at > instant);
  }

  /** A page of a location's passes, those that end last first. @throws InvalidCursorError */
  async pageOfLocation(
    location_id: string,
    { limit, cursor, after, before }: PassRange,
  ): Promise<{ readonly documents: readonly PassDocument[]; readonly next_cursor: string | null }> {
    const bounds = {
      ...(after !== undefined && { from: after + 1 }),
      ...(before !== undefined && { to: before }),
    };
    const passes = await this.#passes();
    return passes.find('by_location', { equals: [location_id], descending: true, limit, cursor, ...bounds });
  }

  #passes(): Promise<Collection<PassDocument>> {
    return this.views.collection(PASSES);
  }
}

interface PassRange {
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Only those that end after this instant (milliseconds). */
  readonly after?: number | undefined;
  /** Only those that ended at this instant (milliseconds), or before. */
  readonly before?: number | undefined;
}
