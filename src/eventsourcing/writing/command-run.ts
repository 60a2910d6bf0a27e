import type { Clock } from '#kernel/clock.js';
import type { DocumentWrite } from '#eventsourcing/documents/document-store.js';
import type { StoredDomainEvent } from '#eventsourcing/log/domain-event.js';
import type { Aggregate, Kind, Snapshot } from './aggregate.js';
import type { Projector, StateLoader } from './projector.js';

/** A clock that may be ahead of the real time: a sandbox's. */
export interface WriteClock extends Pick<Clock, 'now'> {
  /** In milliseconds. */
  readonly ahead: number;
}

/** An aggregate with its states and its views. */
export interface StreamKind<K extends Kind> {
  readonly aggregate: Aggregate<K>;
  /** Absent: the states are read from the log. For streams that no view shows, if they are short or seldom written. */
  readonly states?: StateLoader<K['state']> | undefined;
  /** Absent if no view shows the streams. */
  readonly projector?: Projector<K['state'], K['event']> | undefined;
  /** The refusal for a stream whose history is damaged. Absent: the whole run throws HistoryDamagedError. */
  readonly damaged?: K['refusal'] | undefined;
}

/** A stream with the state for the next attempt. */
export interface OpenStream<State> {
  /** Its index in {@link CommandRun.streams}. */
  readonly index: number;
  readonly state: State | undefined;
}

/** The command for one stream. */
export interface PreparedCommand<Command> {
  readonly command: Command;
  /** The insert of a new tenant account that the events name. Without events it is not stored. */
  readonly account?: DocumentWrite | undefined;
}

export interface Prepared<Command> {
  /** A company's clock or the real time (docs/adr/0010). */
  readonly clock: WriteClock | 'world';
  /** In the order of the given streams. */
  readonly commands: readonly PreparedCommand<Command>[];
}

/** One command on several streams of one category. */
export interface CommandRun<K extends Kind> extends StreamKind<K> {
  /** Distinct. */
  readonly streams: readonly string[];
  /** More names to lock until the run ends: the tenants that the command names. */
  readonly names?: readonly string[] | undefined;
  /** Marks the events as those of a bulk. */
  readonly bulk?: boolean | undefined;
  /** Makes the commands for these states. Called again, for some streams, after a conflict or a taken account. */
  prepare(open: readonly OpenStream<K['state']>[]): Prepared<K['command']> | Promise<Prepared<K['command']>>;
  /** Adds to the outcomes. Called once after all streams are written and projected, while the names are locked. */
  readonly complete?: ((outcomes: readonly Outcome<K>[]) => Promise<readonly Outcome<K>[]>) | undefined;
}

/** The result of a command for one stream. */
export type Outcome<K extends Kind> =
  | {
      readonly kind: 'done';
      readonly result: K['result'];
      /** The state before the command; undefined if the stream had no events. */
      readonly before: Snapshot<K['state']> | undefined;
      /** The state after the command; undefined if the stream still has no events. */
      readonly after: Snapshot<K['state']> | undefined;
      /** In milliseconds: when the events occurred, or now if nothing changed. */
      readonly applied_at: number;
      /** False if the command changed nothing. */
      readonly changed: boolean;
      /** True if an earlier attempt at the command has stored the events. */
      readonly isRecovered: boolean;
    }
  | { readonly kind: 'rejected'; readonly refusal: K['refusal'] };

/** A stream that the command writes, and its state for the next attempt. */
export interface TargetStream<K extends Kind> {
  readonly index: number;
  readonly stream: string;
  readonly snapshot: Snapshot<K['state']> | undefined;
  /** The views from which `snapshot` was read show every event of the log up to this position; undefined: unknown. */
  readonly shownUpTo: bigint | undefined;
  /** Events of the log that the views may not show yet, without those in `recovered`. */
  readonly unprojected: readonly StoredDomainEvent<K['event']>[];
  /** Events that an earlier attempt at the same command has stored. */
  readonly recovered: readonly StoredDomainEvent<K['event']>[] | undefined;
  /** True if the log was read up to its end. */
  readonly isFromLog: boolean;
}

/** The decision for one target. */
export interface StreamDecision<K extends Kind> {
  readonly target: TargetStream<K>;
  readonly account: DocumentWrite | undefined;
  /** Events to append, or events that an earlier attempt has appended. */
  readonly events: readonly StoredDomainEvent<K['event']>[];
  readonly after: Snapshot<K['state']> | undefined;
  readonly outcome: Outcome<K>;
}
