import type { DomainEvent } from '#eventsourcing/log/domain-event.js';
import type { EventTypes } from '#eventsourcing/log/codec.js';

/** The state of a stream at `revision`, with the fields that the next event needs. */
export interface Snapshot<State> {
  readonly state: State;
  readonly revision: number;
  readonly last_hash: string;
  /** `occurred_at` of the last event, in milliseconds. */
  readonly last_at: number;
}

/** The result of `decide`: events and a result, or a refusal. Refusals are never thrown. */
export type Decided<Event extends DomainEvent, Result, Refusal, State = never> =
  | {
      readonly events: readonly Event[];
      readonly result: Result;
      /** The state after the events, if `decide` has computed it. */
      readonly state?: State | undefined;
      /** The instant of the state that the command states, for the metadata of its events (milliseconds). */
      readonly stated_at?: number | undefined;
    }
  | { readonly rejected: Refusal };

/** A union of commands, made from `Fields`, which gives the fields of each type. */
export type CommandOf<Fields, Types extends keyof Fields = keyof Fields> = {
  readonly [Type in Types & string]: { readonly type: Type } & Fields[Type];
}[Types & string];

/** Computes the state of the streams of a category. */
export interface Fold<State, Event extends DomainEvent = DomainEvent> {
  /** Streams are named `{category}-…`. */
  readonly category: string;
  /** All event types of such a stream. */
  readonly types: EventTypes;
  evolve(state: State | undefined, event: Event, revision: number): State;
  /**
   * Returns an `evolve` for one list of events. It may change a state that it has returned itself, so keep only the last one.
   * Absent if `evolve` copies no more than an event changes.
   */
  evolveList?(): Fold<State, Event>['evolve'];
}

/** The types of one kind of stream: its states, events and commands, and what a command gives. */
export interface Kind<
  State = unknown,
  Event extends DomainEvent = DomainEvent,
  Command = unknown,
  Result = unknown,
  Refusal = unknown,
> {
  readonly state: State;
  readonly event: Event;
  readonly command: Command;
  readonly result: Result;
  readonly refusal: Refusal;
}

/** Decides the commands of one stream. Pure. */
export interface Aggregate<K extends Kind> extends Fold<K['state'], K['event']> {
  /** A command that changes nothing is accepted without events. @param now milliseconds */
  decide(
    state: K['state'] | undefined,
    command: K['command'],
    now: number,
  ): Decided<K['event'], K['result'], K['refusal'], K['state']>;
  /**
   * The command as it was first executed, restored from its stored events: a name in it may mean something else by now.
   * Absent if commands contain no names.
   */
  asStored?(command: K['command'], stored: readonly K['event'][]): K['command'];
}
