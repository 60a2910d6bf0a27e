import type { Clock } from '../config/clock.js';

/** Whether a server answers those who ask it. */
export interface StorePresence {
  /** The instant, in milliseconds, since which it has been asked and has answered nothing; undefined where it answers. */
  awaySince(): number | undefined;
}

/** Follows the calls to one server. */
export class ServerPresence implements StorePresence {
  #since: number | undefined;
  #waiting = 0;

  constructor(private readonly clock: Clock) {}

  /**
   * Makes a call.
   * @param isAnswer whether the server has spoken, by how the call ended
   */
  async watch<T>(call: () => Promise<T>, isAnswer: (end: PromiseSettledResult<T>) => boolean): Promise<T> {
    this.#since ??= this.clock.now();
    this.#waiting += 1;
    const [end] = await Promise.allSettled([call()]);
    this.#waiting -= 1;
    // Others are answered, so those who still wait may only be slow.
    if (isAnswer(end)) this.#since = this.#waiting > 0 ? this.clock.now() : undefined;
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  }

  awaySince(): number | undefined {
    return this.#since;
  }
}

/** Servers that a process cannot do without: away where one of them is. */
export function presenceOfAll(servers: readonly StorePresence[]): StorePresence {
  return {
    awaySince() {
      const away = servers.flatMap((server) => server.awaySince() ?? []);
      return away.length === 0 ? undefined : Math.min(...away);
    },
  };
}
