import type { CommandStartedEvent, CommandSucceededEvent, MongoClient } from 'mongodb';
import type { EventStore } from '../../src/log/event-store.js';

/** One call to a server, in places of the order in which all calls began and ended. */
interface Call {
  readonly name: string;
  readonly began: number;
  ended: number;
}

/** What a request asked of servers: how many calls, and how many of them one after another. */
export interface Cost {
  readonly calls: number;
  readonly depth: number;
  readonly names: readonly string[];
}

/** Counts the calls to MongoDB, as its driver tells them, and those to the log's client. */
export class CountedCalls {
  #place = 0;
  #calls: Call[] = [];

  watchMongo(client: MongoClient): void {
    const open = new Map<number, Call>();
    client.on('commandStarted', ({ requestId, commandName, command }: CommandStartedEvent) => {
      open.set(requestId, this.#begin(`${commandName} ${String(command[commandName])}`));
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
      subscribe: (after, handler) => store.subscribe(after, handler),
      ping: () => store.ping(),
      close: () => store.close(),
    };
  }

  /** The cheapest of several goes: what runs in the background now and then is not the request's. */
  async costOf(ask: (go: number) => Promise<unknown>, goes = 6): Promise<Cost> {
    const costs: Cost[] = [];
    for (let go = 0; go < goes; go += 1) {
      this.#calls = [];
      await ask(go);
      costs.push({ calls: this.#calls.length, depth: depthOf(this.#calls), names: this.#calls.map(named) });
    }
    const least = Math.min(...costs.map(({ calls }) => calls));
    const depth = Math.min(...costs.map((cost) => cost.depth));
    return { ...costs.find(({ calls }) => calls === least)!, depth };
  }

  #begin(name: string): Call {
    const call = { name, began: (this.#place += 1), ended: Infinity };
    this.#calls.push(call);
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
