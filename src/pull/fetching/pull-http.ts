import type { PullFault } from './pull-fault.js';

/** A page that is asked for. */
export interface PullRequest {
  readonly url: string;
  /** The value of `Authorization`; sent to `credential_origin` alone. */
  readonly auth_header: string | null;
  readonly credential_origin: string;
  /** The validators of the page when it was last read. */
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
      /** After redirects: what a relative `next` is relative to. */
      readonly url: string;
      readonly body: Uint8Array;
      readonly etag: string | null;
    };

/** The network, as pull sources see it. */
export interface PullHttp {
  /** @throws PullFault */
  get(request: PullRequest): Promise<PullAnswer>;
  /** Why this host may not be asked at all, as far as that can be told by now. */
  refusalOf(url: string): Promise<PullFault | undefined>;
  close(): Promise<void>;
}

/** Injection token of the `PullHttp`. */
export const PULL_HTTP = Symbol('PullHttp');
