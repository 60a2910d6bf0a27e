import { syncInParts } from './bulk.js';
import { type Answer, type CallOptions, Calls, type Given } from './calls.js';
import { USUAL_RETRIES, type RetryPolicy } from './core/backoff.js';
import { feedPages, itemsOf, listed } from './pages.js';
import type { BulkEntry, BulkResult, Data, Inputs, Method, Operation, PathOf } from './routes.js';
import { SYSTEM, type Surroundings } from './surroundings.js';
import { type KeptAccess, TenantAccessCache } from './tenant-access-cache.js';
import { Transport } from './transport.js';
import type { WebSignal } from './web.js';

export interface ConnectOptions {
  /** Address of the service, without `/api`. */
  readonly baseUrl: string;
  /** Token of a company, a tenant or an operator. Without one, only public routes can be called. */
  readonly token?: string;
  readonly retries?: Partial<RetryPolicy>;
  /** Timeout of one attempt in milliseconds. Longer than the 31 s that a repeated write takes at most. */
  readonly timeout?: number;
  /** Clock, waiting, chance and `fetch` of one's own: for tests, and for where the system lacks one of them. */
  readonly surroundings?: Partial<Surroundings>;
}

export interface SyncOptions {
  readonly dry_run?: boolean;
  /** When the PMS took this state, ISO 8601: units that a single write changed after it are skipped. */
  readonly snapshot_at?: string;
  /** Names the whole bulk: the same again with the same entries does nothing twice, even by a process that knows nothing of the first. */
  readonly idempotency_key?: string;
  readonly signal?: WebSignal;
}

/** The query of a list, without what the paging sets by itself. */
type Query<P extends PathOf<'GET'>, Set extends string = 'cursor'> =
  Inputs<Operation<'GET', P>> extends { readonly query?: infer Q } ? Omit<NonNullable<Q>, Set> : never;

const USUAL_TIMEOUT = 40_000;

/** The service in the types of its description, for one credential. */
export class StorageAccessClient {
  readonly #calls: Calls;
  readonly #around: Surroundings;

  /** @throws TypeError for an address or a token that no request could carry; neither is repeated in it */
  constructor(options: ConnectOptions) {
    const { baseUrl, token, retries, timeout = USUAL_TIMEOUT, surroundings } = checkedOptions(options);
    this.#around = { ...SYSTEM, ...surroundings };
    const transport = new Transport(this.#around, { ...USUAL_RETRIES, ...retries }, timeout);
    this.#calls = new Calls(transport, this.#around, checkedUrl(baseUrl), checkedToken(token));
  }

  /**
   * Calls a route: `call('PATCH', '/api/v2/units/{crm_unit_id}', { path: { crm_unit_id: 'A-101' }, body: { balance_due: 0 } })`. Writes
   * of a PMS have an `Idempotency-Key`, kept over repetitions; after 429, and where it is safe after 503 or without an answer, the same
   * request is sent again, when `Retry-After` says or after a growing pause.
   * @throws ServiceError
   */
  call<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...given: Given<M, P>
  ): Promise<Answer<Data<Operation<M, P>>>> {
    return this.#calls.call(method, path, ...given);
  }

  /**
   * Brings any number of units up to date, 500 a request, as one bulk: counts added, errors in order and by the entries' places in the
   * whole. Entries are read as they are sent. A unit that is there twice is found within one request only.
   * @throws ServiceError by which a request was refused, with what those before it came to in `synced`
   */
  async syncUnits(
    units: Iterable<BulkEntry> | AsyncIterable<BulkEntry>,
    { dry_run, snapshot_at, idempotency_key, signal }: SyncOptions = {},
  ): Promise<BulkResult> {
    const key = idempotency_key ?? this.#around.newKey();
    const result = await syncInParts(units, async (part, number) => {
      const { data } = await this.call('PATCH', '/api/v2/units', {
        body: snapshot_at === undefined ? { units: part } : { units: part, snapshot_at },
        query: dry_run === undefined ? {} : { dry_run },
        idempotency_key: `${key} ${number}`,
        ...(signal === undefined ? {} : { signal }),
      });
      return data;
    });
    const synced_at = new Date(this.#around.now()).toISOString();
    return result ?? { synced_at, total: 0, created: 0, updated: 0, unchanged: 0, errors: [] };
  }

  /** All units of the token's company, or those of a state or a location. */
  units(query: Query<'/api/v2/units'> = {}, options: CallOptions = {}) {
    return listed(
      (at) => this.call('GET', '/api/v2/units', { query: { ...query, ...at }, ...options }),
      (page) => page.units,
    );
  }

  /** Everything that happened to a unit, oldest first unless `order` says otherwise. */
  history(
    crm_unit_id: string,
    query: Query<'/api/v2/units/{crm_unit_id}/history'> = {},
    options: CallOptions = {},
  ) {
    return listed(
      (at) =>
        this.call('GET', '/api/v2/units/{crm_unit_id}/history', {
          path: { crm_unit_id },
          query: { ...query, ...at },
          ...options,
        }),
      (page) => page.entries,
    );
  }

  /** Reports of a unit's locks, newest first. */
  activity(
    crm_unit_id: string,
    query: Query<'/api/v2/units/{crm_unit_id}/activity'> = {},
    options: CallOptions = {},
  ) {
    return listed(
      (at) =>
        this.call('GET', '/api/v2/units/{crm_unit_id}/activity', {
          path: { crm_unit_id },
          query: { ...query, ...at },
          ...options,
        }),
      (page) => page.entries,
    );
  }

  /** Tenants that an operator finds, by the beginning of a name, an e-mail, a phone number or the PMS's identifier. */
  tenants(query: Query<'/api/operator/tenants'> = {}, options: CallOptions = {}) {
    return listed(
      (at) => this.call('GET', '/api/operator/tenants', { query: { ...query, ...at }, ...options }),
      (page) => page.tenants,
    );
  }

  /** The company's events after a position, page by page up to now: keep a page's `next_after` once it is dealt with. */
  eventPages(query: Query<'/api/v2/events', never> = {}, options: CallOptions = {}) {
    const { after: since, ...rest } = query;
    return feedPages(async (after) => {
      const given = { query: { ...rest, ...(after === undefined ? {} : { after }) }, ...options };
      return (await this.call('GET', '/api/v2/events', given)).data;
    }, since);
  }

  /** The events of `eventPages`, one by one. */
  events(query: Query<'/api/v2/events', never> = {}, options: CallOptions = {}) {
    return itemsOf(this.eventPages(query, options), (page) => page.events);
  }

  /** For an app: what the tenant may open, asked for when it is due and kept for when there is no signal. */
  tenantAccess({ kept }: { readonly kept?: KeptAccess | undefined } = {}): TenantAccessCache {
    const read = (etag: string | null) =>
      this.call('GET', '/api/v2/tenant/access', etag === null ? {} : { headers: { 'If-None-Match': etag } });
    return new TenantAccessCache(read, this.#around.now, kept);
  }
}

/** Connects to a service with a credential. @throws TypeError as the class */
export function connect(options: ConnectOptions): StorageAccessClient {
  return new StorageAccessClient(options);
}

/** JavaScript has no compiler that checks this. */
function checkedOptions(options: ConnectOptions | undefined): ConnectOptions {
  if (options === undefined)
    throw new TypeError("Options are missing: connect({ baseUrl: 'https://…', token }).");
  return options;
}

function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === undefined || !isWeb || url.username !== '' || url.search !== '') {
    throw new TypeError('baseUrl must be an http or https address without credentials and query.');
  }
  return url.href;
}

/** If a header could not carry the token, the system's own error would show it. */
function checkedToken(token: string | undefined): string | undefined {
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    throw new TypeError('token must have visible characters only. Remove spaces and line ends.');
  }
  return token;
}
