import { syncInParts } from './bulk.js';
import { type Answer, type CallOptions, Calls, type Given } from './calls.js';
import { USUAL_RETRIES, type RetryPolicy } from './core/backoff.js';
import { feedPages, followedPages, itemsOf, listed } from './pages.js';
import type { BulkEntry, BulkResult, Data, Inputs, Method, Operation, PathOf } from './routes.js';
import { SYSTEM_ENVIRONMENT, type ClientEnvironment } from './client-environment.js';
import { type KeptAccess, TenantAccessCache } from './tenant-access-cache.js';
import { Transport } from './transport.js';
import type { WebSignal } from './web.js';

export interface ConnectOptions {
  /** Address of the service, without `/api`. */
  readonly baseUrl: string;
  /** Token of a company, a tenant or an operator. Without one, only public routes can be called. */
  readonly token?: string;
  readonly retries?: Partial<RetryPolicy>;
  /** Timeout of one attempt in milliseconds, default 40 s. A repeated write may take 31 s. */
  readonly timeout?: number;
  /** Replaces clock, sleep, random numbers or `fetch`: for tests, and for systems without one of them. */
  readonly environment?: Partial<ClientEnvironment>;
}

export interface SyncOptions {
  readonly dry_run?: boolean;
  /** The instant of the PMS's state, ISO 8601. Units that a single write changed later are skipped. */
  readonly snapshot_at?: string;
  /** The key of the whole bulk. A repeat with the same key and entries does nothing twice, even from another process. */
  readonly idempotency_key?: string;
  readonly signal?: WebSignal;
}

export interface FollowOptions extends CallOptions {
  /** Milliseconds between two requests while nothing is new, default 5 s. */
  readonly wait?: number;
}

/** The query of a list, without the fields of paging. */
type Query<P extends PathOf<'GET'>, Set extends string = 'cursor'> =
  Inputs<Operation<'GET', P>> extends { readonly query?: infer Q } ? Omit<NonNullable<Q>, Set> : never;

const USUAL_TIMEOUT = 40_000;
const USUAL_WAIT = 5_000;

/** A client with one credential. Types come from the description of the API. */
export class StorageAccessClient {
  readonly #calls: Calls;
  readonly #environment: ClientEnvironment;

  /** @throws TypeError for an invalid address or token; its message contains neither */
  constructor(options: ConnectOptions) {
    const { baseUrl, token, retries, timeout = USUAL_TIMEOUT, environment } = checkedOptions(options);
    this.#environment = { ...SYSTEM_ENVIRONMENT, ...environment };
    const transport = new Transport(this.#environment, { ...USUAL_RETRIES, ...retries }, timeout);
    this.#calls = new Calls(transport, this.#environment, checkedUrl(baseUrl), checkedToken(token));
  }

  /**
   * Calls a route: `call('PATCH', '/api/v2/units/{crm_unit_id}', { path: { crm_unit_id: 'A-101' }, body: { balance_due: 0 } })`. A
   * PMS's writes have an `Idempotency-Key`. After 429 the request is sent again; if a repetition is safe, also after 503
   * or without an answer. The pause is `Retry-After`, or grows with each attempt.
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
   * Updates any number of units, 500 in each request. Returns one result, whose paths count entries of the whole bulk.
   * Reads entries only when they are sent. A duplicate unit is refused only within one request.
   * @throws ServiceError of the refused request, with the earlier results in `synced`
   */
  async syncUnits(
    units: Iterable<BulkEntry> | AsyncIterable<BulkEntry>,
    { dry_run, snapshot_at, idempotency_key, signal }: SyncOptions = {},
  ): Promise<BulkResult> {
    const key = idempotency_key ?? this.#environment.newKey();
    const result = await syncInParts(units, async (part, number) => {
      const { data } = await this.call('PATCH', '/api/v2/units', {
        body: snapshot_at === undefined ? { units: part } : { units: part, snapshot_at },
        query: dry_run === undefined ? {} : { dry_run },
        idempotency_key: `${key} ${number}`,
        ...(signal === undefined ? {} : { signal }),
      });
      return data;
    });
    const synced_at = new Date(this.#environment.now()).toISOString();
    return result ?? { synced_at, total: 0, created: 0, updated: 0, unchanged: 0, errors: [] };
  }

  /** All units of the token's company, or those of a state or a location. */
  units(query: Query<'/api/v2/units'> = {}, options: CallOptions = {}) {
    return listed(
      (at) => this.call('GET', '/api/v2/units', { query: { ...query, ...at }, ...options }),
      (page) => page.units,
    );
  }

  /** The history of a unit, oldest first by default. */
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

  /** Finds tenants by the beginning of a name, e-mail or phone number, or by `pms_tenant_id`. For operators. */
  tenants(query: Query<'/api/operator/tenants'> = {}, options: CallOptions = {}) {
    return listed(
      (at) => this.call('GET', '/api/operator/tenants', { query: { ...query, ...at }, ...options }),
      (page) => page.tenants,
    );
  }

  /**
   * Pages of the company's events after a position. Store a page's `next_after` after you have processed the page. After
   * `latest` the first page has no events: its `next_after` is the position to begin at.
   */
  eventPages(query: Query<'/api/v2/events', never> = {}, options: CallOptions = {}) {
    const { after: since, ...rest } = query;
    return feedPages((after) => this.#readEvents({ ...rest, after }, options), since);
  }

  /**
   * Like `eventPages`, and goes on at the end: it waits, and asks again. It ends only with an error: the signal's reason, or
   * a ServiceError that repetition did not cure. Begins `after` a position, or at now: absent is `latest`.
   */
  followEvents(
    { after = 'latest', ...rest }: Query<'/api/v2/events', never> = {},
    { wait = USUAL_WAIT, signal = new AbortController().signal, ...options }: FollowOptions = {},
  ) {
    return followedPages(
      (known) => this.#readEvents({ ...rest, after: known }, { ...options, signal }),
      () => this.#environment.sleep(wait, signal),
      after,
    );
  }

  /** The events of `eventPages`, one by one. */
  events(query: Query<'/api/v2/events', never> = {}, options: CallOptions = {}) {
    return itemsOf(this.eventPages(query, options), (page) => page.events);
  }

  /** For an app: the tenant's access, refreshed when it is due and cached for times without a network. */
  tenantAccess({ kept }: { readonly kept?: KeptAccess | undefined } = {}): TenantAccessCache {
    const read = (etag: string | null) =>
      this.call('GET', '/api/v2/tenant/access', etag === null ? {} : { headers: { 'If-None-Match': etag } });
    return new TenantAccessCache(read, this.#environment.now, kept);
  }

  async #readEvents(
    {
      after,
      ...rest
    }: Omit<Query<'/api/v2/events', never>, 'after'> & { readonly after: string | undefined },
    options: CallOptions,
  ) {
    const query = { ...rest, ...(after === undefined ? {} : { after }) };
    return (await this.call('GET', '/api/v2/events', { query, ...options })).data;
  }
}

/** @throws TypeError for an invalid address or token */
export function connect(options: ConnectOptions): StorageAccessClient {
  return new StorageAccessClient(options);
}

/** Callers in JavaScript have no compiler that checks this. */
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

/** Checked here, because the system's own error would contain the token. */
function checkedToken(token: string | undefined): string | undefined {
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    throw new TypeError('token must have visible characters only. Remove spaces and line ends.');
  }
  return token;
}
