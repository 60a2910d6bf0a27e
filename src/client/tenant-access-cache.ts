import type { Answer } from './calls.js';
import type { TenantAccess } from './routes.js';
import { isServiceError } from './service.error.js';

/** Data that an app may store for its next launch. It holds keys: keep it where the token is kept. */
export interface KeptAccess {
  readonly access: TenantAccess;
  readonly etag: string | null;
  /** When it was received, by the device's clock, in milliseconds. */
  readonly received_at: number;
}

/** The tenant's access as it is known. */
export interface KnownAccess {
  readonly access: TenantAccess;
  /** The service could not be asked although it was due: keys in it work until their `key_expires_at` all the same. */
  readonly is_stale: boolean;
}

/** Asks for the access, by the entity tag of what is known. */
export type ReadAccess = (etag: string | null) => Promise<Answer<TenantAccess | undefined>>;

/** A tenant's access for an app: asked for when it is due, kept for when there is no signal. */
export class TenantAccessCache {
  #kept: KeptAccess | undefined;
  #underWay: Promise<KnownAccess> | undefined;
  /** Raised by whatever forgets: an answer to who asked before is nobody's any more. */
  #turn = 0;

  constructor(
    private readonly read: ReadAccess,
    private readonly now: () => number,
    kept?: KeptAccess,
  ) {
    this.#kept = kept;
  }

  /** The known answer, to be stored. Undefined before the first. */
  get kept(): KeptAccess | undefined {
    return this.#kept;
  }

  /** The known answer. It is fetched if there is none or `refresh_at` has come. @throws ServiceError as `refresh` */
  async current(): Promise<KnownAccess> {
    const kept = this.#kept;
    if (kept === undefined || isDue(kept, this.now())) return this.refresh();
    return { access: kept.access, is_stale: false };
  }

  /**
   * Asks the service, at launch or when the tenant wishes. Who asks meanwhile waits for the same answer. Without one, what is known
   * is given.
   * @throws ServiceError where nothing is known yet, and on refusals; on 401 what was known is forgotten
   */
  refresh(): Promise<KnownAccess> {
    if (this.#underWay !== undefined) return this.#underWay;
    const turn = this.#turn;
    const asking = this.#ask(turn).finally(() => {
      if (turn === this.#turn) this.#underWay = undefined;
    });
    return (this.#underWay = asking);
  }

  /** As after logging out: what is still being asked for is kept no more, and who asks next asks anew. */
  forget(): void {
    this.#turn += 1;
    this.#kept = undefined;
    this.#underWay = undefined;
  }

  async #ask(turn: number): Promise<KnownAccess> {
    const kept = this.#kept;
    try {
      const answer = await this.read(kept?.etag ?? null);
      return { access: this.#learn(answer, kept, turn), is_stale: false };
    } catch (error) {
      if (turn === this.#turn && isServiceError(error) && error.status === 401) this.forget();
      if (kept === undefined || !isPassing(error)) throw error;
      return { access: kept.access, is_stale: true };
    }
  }

  #learn(
    { data, headers }: Answer<TenantAccess | undefined>,
    kept: KeptAccess | undefined,
    turn: number,
  ): TenantAccess {
    if (data !== undefined) {
      const etag = headers.get('etag');
      if (turn === this.#turn) this.#kept = { access: data, etag, received_at: this.now() };
      return data;
    }
    if (kept === undefined) throw new TypeError('304 was answered to who knows nothing.');
    // The tag is the same, so the answer and its `refresh_at` are.
    return kept.access;
  }
}

/** Whether to ask again, by the device's clock, which need not be right: only how long it is counts. */
function isDue({ access: { refresh_at, evaluated_at }, received_at }: KeptAccess, now: number): boolean {
  if (refresh_at === null) return false;
  const passed = now - received_at;
  // A clock that was put back cannot tell how long it is, which may be too long.
  return passed < 0 || passed >= Date.parse(refresh_at) - Date.parse(evaluated_at);
}

/** No signal, or a service that is away for a while: nothing that speaks against what is known. */
function isPassing(error: unknown): boolean {
  return isServiceError(error) && (error.status === null || error.status === 429 || error.status >= 500);
}
