import type { Answer } from './calls.js';
import type { TenantAccess } from './routes.js';
import { isServiceError } from './service.error.js';

/** Data that an app may store for its next launch. It contains keys: store it as safely as the token. */
export interface KeptAccess {
  readonly access: TenantAccess;
  readonly etag: string | null;
  /** Milliseconds, by the device's clock. */
  readonly received_at: number;
}

export interface KnownAccess {
  readonly access: TenantAccess;
  /** True: a refresh was due but failed. Keys still work until their `key_expires_at`. */
  readonly is_stale: boolean;
}

/** Reads the access. @param etag of the cached answer */
export type ReadAccess = (etag: string | null) => Promise<Answer<TenantAccess | undefined>>;

/** A tenant's access for an app. Refreshed when it is due; used from the cache without a network. */
export class TenantAccessCache {
  #cached: KeptAccess | undefined;
  #refreshing: Promise<KnownAccess> | undefined;
  /** Grows with each `forget`, so that an answer to an earlier request is not stored. */
  #generation = 0;

  constructor(
    private readonly read: ReadAccess,
    private readonly now: () => number,
    kept?: KeptAccess,
  ) {
    this.#cached = kept;
  }

  /** The cached answer, for the app to store. Undefined before the first answer. */
  get kept(): KeptAccess | undefined {
    return this.#cached;
  }

  /** The cached answer, refreshed first if `refresh_at` has passed. @throws ServiceError as `refresh` */
  async current(): Promise<KnownAccess> {
    const cached = this.#cached;
    if (cached === undefined || isDue(cached, this.now())) return this.refresh();
    return { access: cached.access, is_stale: false };
  }

  /**
   * Asks the service, for example at launch. Concurrent calls share one request. Without a network, returns the cached
   * answer.
   * @throws ServiceError if nothing is cached, and on refusals. A 401 clears the cache.
   */
  refresh(): Promise<KnownAccess> {
    if (this.#refreshing !== undefined) return this.#refreshing;
    const generation = this.#generation;
    const asking = this.#ask(generation).finally(() => {
      if (generation === this.#generation) this.#refreshing = undefined;
    });
    return (this.#refreshing = asking);
  }

  /** Clears the cache, for example at logout. A running request is not stored. */
  forget(): void {
    this.#generation += 1;
    this.#cached = undefined;
    this.#refreshing = undefined;
  }

  async #ask(generation: number): Promise<KnownAccess> {
    const cached = this.#cached;
    try {
      const answer = await this.read(cached?.etag ?? null);
      return { access: this.#store(answer, cached, generation), is_stale: false };
    } catch (error) {
      if (generation === this.#generation && isServiceError(error) && error.status === 401) this.forget();
      if (cached === undefined || !isTemporary(error)) throw error;
      return { access: cached.access, is_stale: true };
    }
  }

  #store(
    { data, headers }: Answer<TenantAccess | undefined>,
    cached: KeptAccess | undefined,
    generation: number,
  ): TenantAccess {
    if (data !== undefined) {
      const etag = headers.get('etag');
      if (generation === this.#generation) this.#cached = { access: data, etag, received_at: this.now() };
      return data;
    }
    if (cached === undefined) throw new TypeError('The service answered 304, but nothing is cached.');
    // The same tag means the same answer, with the same `refresh_at`.
    return cached.access;
  }
}

/** Whether a refresh is due. Uses only the time that has passed, because the device's clock may be wrong. */
function isDue({ access: { refresh_at, evaluated_at }, received_at }: KeptAccess, now: number): boolean {
  // Services before 1.0.0-rc.2 may answer null.
  if (refresh_at === null) return false;
  const passed = now - received_at;
  // If the clock was set back, the time that has passed is unknown, so refresh.
  return passed < 0 || passed >= Date.parse(refresh_at) - Date.parse(evaluated_at);
}

/** No network, or the service is unavailable: the cached answer is still valid. */
function isTemporary(error: unknown): boolean {
  return isServiceError(error) && (error.status === null || error.status === 429 || error.status >= 500);
}
