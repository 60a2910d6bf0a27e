import { Inject, Injectable } from '@nestjs/common';
import { PASS, PassDirectory, type PassDocument, type PassEvent, passStream } from '#domain/passes/index.js';
import { type PassState, standingOf } from '#domain/passes/index.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { wholeAppends } from '#eventsourcing/log/whole-appends.js';
import { inBatches } from '#kernel/in-batches.js';
import { EVENT_STORE } from '#kernel/injection-tokens.js';
import { type OpenedThing, passAt, passEntries, type PassEntry } from './core/pass-entries.js';
import type { Logged } from './core/unit-record.js';
import { byPoint, earlier, endOf, later, type Window } from './core/window.js';
import { logged } from './logged.js';

/** The entries of passes in a window that may be narrower than the one that was asked for. */
export interface PassesInWindow {
  readonly entries: readonly PassEntry[];
  readonly window: Window;
  /** True if entries were left out at the end of the window in the order that was asked for. */
  readonly isNarrowed: boolean;
}

interface AskedPasses {
  readonly window: Window;
  readonly limit: number;
  readonly isNewestFirst: boolean;
  /** Milliseconds, by the company's clock. */
  readonly now: number;
}

/** Reads the events of passes that open a unit or an entry point. All methods throw StoreUnavailableError. */
@Injectable()
export class PassLog {
  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    private readonly directory: PassDirectory,
  ) {}

  /** The passes in force at an instant (milliseconds) that named the thing then. */
  async inForceAt(thing: OpenedThing, at: number): Promise<PassState[]> {
    // A pass that was in force then ends after that instant: a change never sets an end that is past.
    const candidates = await this.directory.endingAfter(indexOf(thing), idOf(thing), at);
    const then = await inBatches(candidates, (document) => this.#at(document, at));
    return then
      .filter((pass) => pass !== undefined && standingOf(pass, at) === 'in_force')
      .map((pass) => pass!);
  }

  /** What passes meant for a thing: at most a little more than `limit` entries. */
  async entriesIn(
    thing: OpenedThing,
    { window, limit, isNewestFirst, now }: AskedPasses,
  ): Promise<PassesInWindow> {
    const documents = await this.directory.ever(indexOf(thing), idOf(thing));
    const narrow = narrowed(documents, window, limit, isNewestFirst);
    const concerned = documents.filter((document) =>
      instantsOf(document).some((at) => isIn(at, narrow.window)),
    );
    const streams = await inBatches(concerned, (document) => this.#read(document));
    const entries = passEntries(streams, thing, now).filter(
      (entry) => byPoint(narrow.window.after, entry) < 0 && byPoint(entry, narrow.window.before) < 0,
    );
    return { entries, ...narrow };
  }

  async #at(document: PassDocument, at: number): Promise<PassState | undefined> {
    if (document.issued_at > at) return undefined;
    const isUnchanged = document.changed_at.every((instant) => instant <= at);
    return isUnchanged ? document : passAt(await this.#read(document), at);
  }

  async #read({ pass_id }: PassDocument): Promise<Logged<PassEvent>[]> {
    const recorded = await this.events.readStream(passStream(pass_id));
    return wholeAppends(recorded).map((one) => logged<PassEvent>(PASS.types, one));
  }
}

function indexOf({ kind }: OpenedThing): 'by_unit' | 'by_entry_point' {
  return kind === 'unit' ? 'by_unit' : 'by_entry_point';
}

function idOf(thing: OpenedThing): string {
  return thing.kind === 'unit' ? thing.unit_id : thing.entry_point_id;
}

/** The instants (milliseconds) at which something may have happened. */
function instantsOf({ changed_at, until }: PassDocument): readonly number[] {
  return [...changed_at, until];
}

/** Whether an entry of an instant may be in the window. */
function isIn(instant: number, { after, before }: Window): boolean {
  return byPoint(after, endOf(instant)) < 0 && instant <= before.instant;
}

/** Narrows a window so that few streams are read: it holds the first instants, or the last ones. */
function narrowed(
  documents: readonly PassDocument[],
  window: Window,
  limit: number,
  isNewestFirst: boolean,
): Omit<PassesInWindow, 'entries'> {
  const instants = documents.flatMap(instantsOf).filter((instant) => isIn(instant, window));
  if (instants.length <= limit) return { window, isNarrowed: false };
  const sorted = instants.sort((one, other) => (isNewestFirst ? other - one : one - other));
  const last = sorted[limit]!;
  return {
    window: isNewestFirst
      ? { ...window, after: later(window.after, endOf(last - 1)) }
      : { ...window, before: earlier(window.before, endOf(last)) },
    isNarrowed: true,
  };
}
