import type { Clock } from './clock.js';

/** Shows whether a store's server answers. */
export interface StorePresence {
  /** The instant, in milliseconds, since which the server has not answered a call; undefined if it answers. */
  awaySince(): number | undefined;
}

/** Watches the calls to one server. */
export class ServerPresence implements StorePresence {
  #since: number | undefined;
  #waiting = 0;

  constructor(private readonly clock: Clock) {}

  /**
   * @param isAnswer true if this end of the call is an answer of the server
   */
  async watch<T>(call: () => Promise<T>, isAnswer: (end: PromiseSettledResult<T>) => boolean): Promise<T> {
    this.#since ??= this.clock.now();
    this.#waiting += 1;
    const [end] = await Promise.allSettled([call()]);
    this.#waiting -= 1;
    // The server answered this call, so calls that still wait may only be slow.
    if (isAnswer(end)) this.#since = this.#waiting > 0 ? this.clock.now() : undefined;
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  }

  awaySince(): number | undefined {
    return this.#since;
  }
}

/** Combines several servers: away if one of them is. */
export function presenceOfAll(servers: readonly StorePresence[]): StorePresence {
  return {
    awaySince() {
      const away = servers.flatMap((server) => server.awaySince() ?? []);
      return away.length === 0 ? undefined : Math.min(...away);
    },
  };
}
