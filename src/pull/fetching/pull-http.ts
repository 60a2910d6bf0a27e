import type { PullFault } from './pull-fault.js';

/** A request for one page. */
export interface PullRequest {
  readonly url: string;
  /** The value of `Authorization`. It is sent only to `credential_origin`. */
  readonly auth_header: string | null;
  readonly credential_origin: string;
  /** The `ETag` of the page when it was last read. */
  readonly etag: string | null;
  /** Ends the request. */
  readonly signal?: AbortSignal;
  /** Milliseconds for the request as a whole, redirects and body included; 30 s when absent. */
  readonly within?: number;
}

export type PullAnswer =
  | { readonly kind: 'not_modified' }
  | {
      readonly kind: 'page';
      /** The URL after redirects. A relative `next` is relative to it. */
      readonly url: string;
      readonly body: Uint8Array;
      readonly etag: string | null;
    };

/** The port through which pull sources are fetched. */
export abstract class PullHttp {
  /** @throws PullFault */
  abstract get(request: PullRequest): Promise<PullAnswer>;
  /** The reason for which this host is never fetched. Undefined if it is allowed, or if its name cannot be resolved now. */
  abstract refusalOf(url: string): Promise<PullFault | undefined>;
  abstract close(): Promise<void>;
}
