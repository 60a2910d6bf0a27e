import {
  BACKWARDS,
  END,
  FORWARDS,
  START,
  type EventStoreDBClient,
  type RecordedEvent as ClientEvent,
  type StreamingRead,
} from '@eventstore/db-client';
import { backOff } from '#kernel/core/back-off.js';
import type { Clock } from '#kernel/clock.js';
import { addressesText } from '#stores/reaching/await-server.js';
import type { ServerPresence } from '#kernel/server-presence.js';
import { ServerRefusedError, StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { PositionLostError, StreamDeletedError } from '#eventsourcing/log/event-store.errors.js';
import type { ReadAllOptions, ReadStreamOptions, RecordedEvent } from '#eventsourcing/log/event-store.js';
import {
  isAccessDenied,
  isInvalidPosition,
  isRefusedByServer,
  isServerAnswer,
  isStreamDeleted,
  isStreamNotFound,
  isUnauthenticated,
  firstLineOf,
} from './client-errors.js';
import type { Connection } from './connection.js';
import { toRecordedEvents } from './event-format.js';
import type { EventStoreDbTimings } from './timings.js';
import { DeadlinePassedError } from '#kernel/within.js';
import { pause } from '#kernel/pause.js';
import { TURNS } from '#kernel/turns.js';

/** Most events in one read of `$all`, to bound the memory. */
const MOST_EVENTS_PER_READ = 4_096;
/** Added to each page for the event that is read twice and for the server's own events. */
const PAGE_MARGIN = 32;
/** The smallest page after the first one, which had too few of our own events. */
const LEAST_NEXT_PAGE = 500;
/** Events that are converted between two looks at the clock. */
const CONVERTED_AT_ONCE = 64;

interface Resolved {
  readonly event?: ClientEvent;
}

/**
 * Reads through the client, with a deadline for each read, because the client's own deadline does not bound reads. A read
 * is tried again while the client connects anew. All reads demand the leader, because a follower may lack acknowledged
 * appends.
 */
export class ClientReads {
  constructor(
    private readonly client: EventStoreDBClient,
    private readonly clock: Clock,
    private readonly timings: EventStoreDbTimings,
    private readonly connection: Pick<Connection, 'addresses' | 'credentials'>,
    private readonly presence: ServerPresence,
    private readonly streamPrefix: string | undefined,
    private readonly lettingGo: AbortSignal,
  ) {}

  /** The port's `readStream`. @throws StoreUnavailableError @throws StreamDeletedError */
  async stream(stream: string, options: ReadStreamOptions = {}): Promise<RecordedEvent[]> {
    const { from, backwards = false, limit } = options;
    if (limit !== undefined && limit <= 0) return [];
    const fromRevision = from === undefined ? (backwards ? END : START) : BigInt(from);
    const found = await this.#tried(() =>
      this.client.readStream(stream, {
        fromRevision,
        direction: backwards ? BACKWARDS : FORWARDS,
        requiresLeader: true,
        ...(limit === undefined ? {} : { maxCount: limit }),
      }),
    );
    return this.#recorded(found);
  }

  /** The port's `readAll`. @throws StoreUnavailableError @throws PositionLostError */
  async all(options: ReadAllOptions): Promise<RecordedEvent[]> {
    const { limit, scan } = options;
    const { events, last } = await this.#scan(options, scan?.atMost ?? Infinity);
    const end = events.length < limit ? last : events[limit - 1]?.position;
    if (end !== undefined) scan?.upTo(end);
    return events.slice(0, limit);
  }

  /** True if the log holds an event with this id at this position. @throws StoreUnavailableError */
  async holds({ id, position }: Pick<RecordedEvent, 'id' | 'position'>): Promise<boolean> {
    const [found] = await this.#page(position, 1, false);
    return found?.id === id;
  }

  /** The port's `head`. The server's own events count too, because scans pass them. @throws StoreUnavailableError */
  async head(): Promise<bigint | undefined> {
    const [newest] = await this.#page(undefined, 1, true);
    return newest?.position?.commit;
  }

  /** Reads pages until it has `limit` events or has scanned `atMost`. `last` is the scanned position of the port. */
  async #scan(options: ReadAllOptions, atMost: number) {
    const { after, backwards, limit } = { after: 0n, backwards: false, ...options };
    const events: RecordedEvent[] = [];
    let last = beginOf(options);
    let left = atMost;
    let more = true;
    let leastPage = 0;
    while (more && events.length < limit && left > 0) {
      const wanted = Math.min(Math.max(limit - events.length, leastPage), left);
      const size = Math.min(MOST_EVENTS_PER_READ, wanted + PAGE_MARGIN);
      const page = await this.#page(last, size, backwards);
      const begin = last;
      const recorded = await this.#recorded(page);
      events.push(...recorded.filter(({ position }) => position > after && position !== begin));
      last = page.at(-1)?.position?.commit;
      left -= page.length;
      leastPage = LEAST_NEXT_PAGE;
      more = page.length === size && last! > after;
    }
    return { events, last: backwards && !more ? after : last };
  }

  /**
   * Reads the newest event: the cheapest call for which the server must read its disk.
   * @throws ServerRefusedError if the server refuses the user, StoreUnavailableError
   */
  async ping(): Promise<void> {
    try {
      await this.#collect(
        this.client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 }),
        this.timings.pingDeadline,
      );
    } catch (error) {
      if (isAccessDenied(error)) throw accessDenied(this.connection, isUnauthenticated(error));
      throw new StoreUnavailableError(`The event store does not answer: ${firstLineOf(error)}.`, false);
    }
  }

  /** The server's own events are included. A forward read repeats the event at `last`. */
  #page(last: bigint | undefined, maxCount: number, backwards: boolean): Promise<ClientEvent[]> {
    const direction = backwards ? BACKWARDS : FORWARDS;
    const end = backwards ? END : START;
    const fromPosition = last === undefined ? end : { commit: last, prepare: last };
    return this.#tried(() =>
      this.client.readAll({ fromPosition, direction, maxCount, requiresLeader: true }),
    ).catch((error: unknown) => {
      throw last !== undefined && isInvalidPosition(error) ? new PositionLostError(last) : error;
    });
  }

  async #tried(open: () => StreamingRead<Resolved>): Promise<ClientEvent[]> {
    const giveUpAt = this.clock.now() + this.timings.readDeadline;
    for (let failures = 1; ; failures += 1) {
      try {
        return await this.#collect(open(), this.timings.readSilence);
      } catch (error) {
        if (isStreamNotFound(error)) return [];
        if (isStreamDeleted(error)) throw new StreamDeletedError();
        const next = backOff(failures, this.timings.backOff);
        if (isInvalidPosition(error)) throw error;
        const isLate = this.lettingGo.aborted || this.clock.now() + next >= giveUpAt;
        if (isRefusedByServer(error) || isLate) {
          throw new StoreUnavailableError(`The event store could not be read: ${firstLineOf(error)}.`, false);
        }
        await pause(this.clock, next, this.lettingGo);
      }
    }
  }

  #collect(read: StreamingRead<Resolved>, silence: number): Promise<ClientEvent[]> {
    return this.presence.watch(
      () => this.#collectAll(read, silence),
      (end) => end.status === 'fulfilled' || isServerAnswer(end.reason),
    );
  }

  /** The port's events among these. Others work in between. */
  async #recorded(found: readonly ClientEvent[]): Promise<RecordedEvent[]> {
    const recorded: RecordedEvent[] = [];
    for (let from = 0; from < found.length; from += CONVERTED_AT_ONCE) {
      recorded.push(...toRecordedEvents(found.slice(from, from + CONVERTED_AT_ONCE), this.streamPrefix));
      const turn = TURNS.pauseToRead(found.length);
      if (turn !== undefined) await turn;
    }
    return recorded;
  }

  /** All events of a read. It adds the listeners at once: an early error without one would end the process. */
  #collectAll(read: StreamingRead<Resolved>, silence: number): Promise<ClientEvent[]> {
    return new Promise((resolve, reject) => {
      const events: ClientEvent[] = [];
      let seen = -1;
      let cancelWatch = (): void => undefined;
      const watch = (): void => {
        if (seen === events.length) return fail(new DeadlinePassedError(silence));
        seen = events.length;
        cancelWatch = this.clock.after(silence, watch);
      };
      const fail = (error: unknown): void => {
        cancelWatch();
        // Not awaited, because it may wait for a connection.
        void read.cancel().catch(() => undefined);
        reject(error instanceof Error ? error : new Error(firstLineOf(error)));
      };
      read.on('data', ({ event }: Resolved) => {
        if (event) events.push(event);
        letOthersWork(read, events.length);
      });
      read.on('error', fail);
      read.on('end', () => {
        cancelWatch();
        resolve(events);
      });
      watch();
    });
  }
}

/** The client decodes each event when it is taken. In a long turn of the event loop the next ones wait for a later turn. */
function letOthersWork(read: StreamingRead<Resolved>, taken: number): void {
  const turn = TURNS.pauseToRead(taken);
  if (turn === undefined) return;
  read.pause();
  void turn.then(() => read.resume());
}

function accessDenied(
  { addresses, credentials }: Pick<Connection, 'addresses' | 'credentials'>,
  isUnauthenticated: boolean,
): ServerRefusedError {
  const server = `EVENTSTORE_URL: the event store at ${addressesText(addresses)}`;
  if (credentials === undefined) {
    return new ServerRefusedError(`${server} requires a user. Put USER:PASSWORD@ before the host.`);
  }
  return new ServerRefusedError(
    isUnauthenticated
      ? `${server} refuses the user or the password. Correct USER:PASSWORD@ before the host.`
      : `${server} does not let this user read $all. Run storage-access eventstore grant, or name another user.`,
  );
}

/** The position where a read begins; undefined for the start or the end of the log. */
function beginOf({ after, before, backwards }: ReadAllOptions): bigint | undefined {
  return backwards === true ? before : after === 0n ? undefined : after;
}
