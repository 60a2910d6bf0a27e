import { AsyncLocalStorage } from 'node:async_hooks';
import type { Server } from 'node:http';
import type { CommandStartedEvent, CommandSucceededEvent, MongoClient } from 'mongodb';
import type { EventStore } from '#eventsourcing/log/event-store.js';

/** One call to a server, in places of the order in which all calls began and ended. */
interface Call {
  readonly name: string;
  readonly began: number;
  ended: number;
}

/** Calls of a request to servers: how many, and how many of them one after another. */
export interface Cost {
  readonly calls: number;
  readonly depth: number;
  readonly names: readonly string[];
}

/** Asked for by requests, once a second at most, and waited for by none. */
const NOW_AND_THEN = /checkpoints$/;
const GOES = 6;

/** Counts the calls to MongoDB, as its driver tells them, and those to the log's client. */
export class CountedCalls {
  readonly #ofRequests = new AsyncLocalStorage<true>();
  #place = 0;
  #calls: Call[] = [];

  /** What the server's process asks for by itself is none of its requests'. */
  serve(server: Server): void {
    const emit = server.emit.bind(server) as (...given: unknown[]) => boolean;
    server.emit = (...given: unknown[]) =>
      given[0] === 'request' ? this.#ofRequests.run(true, () => emit(...given)) : emit(...given);
  }

  watchMongo(client: MongoClient): void {
    const open = new Map<number, Call>();
    client.on('commandStarted', ({ requestId, commandName, command }: CommandStartedEvent) => {
      const collection = String(command[commandName]);
      if (NOW_AND_THEN.test(collection)) return;
      open.set(requestId, this.#begin(`${commandName} ${collection}`));
    });
    const end = ({ requestId }: Pick<CommandSucceededEvent, 'requestId'>) => this.#end(open.get(requestId));
    client.on('commandSucceeded', end);
    client.on('commandFailed', end);
  }

  watchLog(store: EventStore): EventStore {
    const counted = async <T>(name: string, call: Promise<T>): Promise<T> => {
      const one = this.#begin(name);
      return call.finally(() => this.#end(one));
    };
    return {
      append: (appends) => counted('append', store.append(appends)),
      readStream: (stream, options) => counted(`readStream ${stream}`, store.readStream(stream, options)),
      readAll: (options) => counted('readAll', store.readAll(options)),
      head: () => counted('head', store.head()),
      subscribe: (after, handler) => store.subscribe(after, handler),
      ping: () => store.ping(),
      close: () => store.close(),
    };
  }

  /**
   * The cheapest of several goes: two calls that do not wait for each other may still come one after another, and views
   * that the catch-up has not brought up yet are made up for by reads.
   */
  async costOf(ask: (go: number) => Promise<unknown>): Promise<Cost> {
    const least = { calls: Infinity, depth: Infinity, names: [] as readonly string[] };
    for (let go = 0; go < GOES; go += 1) {
      this.#calls = [];
      await ask(go);
      if (this.#calls.length <= least.calls) {
        least.calls = this.#calls.length;
        least.names = this.#calls.map(named);
      }
      least.depth = Math.min(least.depth, depthOf(this.#calls));
    }
    return least;
  }

  #begin(name: string): Call {
    const call = { name, began: (this.#place += 1), ended: Infinity };
    if (this.#ofRequests.getStore() === true) this.#calls.push(call);
    return call;
  }

  #end(call: Call | undefined): void {
    if (call !== undefined) call.ended = this.#place += 1;
  }
}

function named({ name, began, ended }: Call): string {
  return `${name} ${began}-${ended}`;
}

/** The most calls of which each began when the one before it had ended. */
function depthOf(calls: readonly Call[]): number {
  let depth = 0;
  let end = 0;
  for (const call of [...calls].sort((left, right) => left.ended - right.ended)) {
    if (call.began < end) continue;
    depth += 1;
    end = call.ended;
  }
  return depth;
}
