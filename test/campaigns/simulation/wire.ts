import type { CountedWindow } from '#eventsourcing/documents/counted-window.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  DocumentWrite,
  Lease,
  StoredDocument,
  WriteOutcome,
} from '#eventsourcing/documents/document-store.js';
import type {
  AppendOutcome,
  EventStore,
  ReadAllOptions,
  ReadStreamOptions,
  RecordedEvent,
  StreamAppend,
  Subscription,
  SubscriptionHandler,
} from '#eventsourcing/log/event-store.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { isReplacement } from '../../support/unclear-writes.js';
import {
  type CallKind,
  type Deployment,
  type Fault,
  type Faults,
  isEmbedded,
  type Target,
} from './faults.js';
import type { Scheduler } from './scheduler.js';
import { frozenCopy } from './stores/frozen.js';
import type { MemoryDocumentStore } from './stores/memory-document-store.js';
import type { MemoryEventStore } from './stores/memory-event-store.js';

interface Sent<T> {
  readonly target: Target;
  readonly kind: CallKind;
  /** The call's effect at the store, at once. */
  readonly apply: () => T;
  /** What an append is told that was stored, or not, and yet met a conflict. */
  readonly conflict?: () => T;
  /** What a write is told of which the store knows totals only. */
  readonly unclear?: () => T;
}

/** Milliseconds. */
const LONGEST_LAG = 20_000;

/** Orders, delays and breaks one process's calls to the stores, as the seed says. */
export class Wire {
  private cut = false;
  /** A commit of the embedded store has failed, and not all who asked have heard of it. */
  private failing = false;
  private lagging = 0;

  constructor(
    readonly owner: string,
    readonly scheduler: Scheduler,
    private readonly faults: Faults,
    private readonly deployment: Deployment,
    private readonly trace: (entry: string) => void,
  ) {}

  /** The process is gone: it hears nothing any more, and nobody hears of it. */
  sever(): void {
    this.cut = true;
  }

  send<T>(sent: Sent<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.cut) return;
      const queue = this.queueOf(sent);
      const refused = () => reject(unavailable(false));
      if (this.scheduler.calm) return resolve(sent.apply());
      // Who asks before all have heard of a failed commit is refused like those who asked before it.
      if (this.failing && this.isCommit(sent)) return refused();
      this.scheduler.add({
        owner: this.owner,
        queue,
        refused,
        run: () => this.arrive(sent, resolve, reject),
        // Calls that a process sent before its end may arrive, late or never.
        ...(isWrite(sent) ? { orphaned: () => this.orphan(sent) } : {}),
      });
    });
  }

  /** A call without effect that only takes its turn. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      if (!this.cut) this.scheduler.add({ owner: this.owner, run: resolve });
    });
  }

  /** A reader of the log may be far behind the writers. */
  async lag(): Promise<void> {
    if (this.cut || this.scheduler.calm || !this.faults.lags()) return;
    const clock = this.scheduler.clockOf(this.owner);
    this.lagging += 1;
    await new Promise<void>((resume) => clock.after(this.scheduler.random.between(1, LONGEST_LAG), resume));
    this.lagging -= 1;
  }

  /** Whether something of the log is on its way to who follows it, and comes later. */
  get isLagging(): boolean {
    return this.lagging > 0;
  }

  /** The embedded store commits the log and the records in the order in which they were asked. */
  private queueOf(sent: Sent<unknown>): string | undefined {
    if (!this.isOwnWrite(sent)) return undefined;
    return this.isCommit(sent) ? this.commits : `${this.owner} views`;
  }

  /** Whether it goes into the one file in which the embedded store keeps the log and the records. */
  private isCommit(sent: Sent<unknown>): boolean {
    return this.isOwnWrite(sent) && sent.target !== 'views';
  }

  private isOwnWrite({ kind }: Sent<unknown>): boolean {
    return kind !== 'read' && isEmbedded(this.deployment);
  }

  private get commits(): string {
    return `${this.owner} store`;
  }

  /** As the embedded store does it: with a commit all fail that wait behind it, or come before its failure is known. */
  private failCommits(tell: () => void): void {
    this.failing = true;
    tell();
    this.scheduler.refuse(this.commits);
    void nextTurn().then(() => (this.failing = false));
  }

  private arrive<T>(sent: Sent<T>, resolve: (value: T) => void, reject: (error: Error) => void): void {
    const fault = this.faults.draw(sent.target, sent.kind, sent.unclear !== undefined);
    const answer = (deliver: () => void) => {
      if (!this.faults.delays()) deliver();
      else this.scheduler.add({ owner: this.owner, run: deliver });
    };
    try {
      const outcome = this.meet(sent, fault);
      this.trace(
        `${this.owner} ${sent.target} ${sent.kind} ${fault} ${isWrite(sent) ? textOf(outcome) : ''}`,
      );
      if (fault === 'refused' && this.isCommit(sent)) this.failCommits(() => reject(outcome as Error));
      else if (outcome instanceof StoreUnavailableError) answer(() => reject(outcome));
      else answer(() => resolve(outcome));
    } catch (error) {
      reject(error as Error);
    }
  }

  private meet<T>(sent: Sent<T>, fault: Fault): T | StoreUnavailableError {
    switch (fault) {
      case 'none':
        return sent.apply();
      case 'repeated':
        return twice(sent.apply);
      case 'refused':
        return unavailable(false);
      case 'dropped':
        return unavailable(true);
      case 'lost':
        sent.apply();
        return unavailable(true);
      case 'late':
        this.applyLater(sent);
        return unavailable(true);
      case 'own_conflict':
        sent.apply();
        return answerOf(sent, 'conflict');
      case 'spurious_conflict':
        return answerOf(sent, 'conflict');
      case 'unclear':
        return answerOf(sent, 'unclear');
    }
  }

  private applyLater(sent: Sent<unknown>): void {
    this.scheduler.add({ owner: 'network', run: () => void sent.apply() });
  }

  private orphan(sent: Sent<unknown>): void {
    const { random } = this.scheduler;
    if (this.queueOf(sent) !== undefined) {
      // Of what is committed in order, a beginning is stored and the rest is not.
      if (this.tornOff || random.chance(0.4)) this.tornOff = true;
      else void sent.apply();
      return;
    }
    if (random.chance(0.5)) return;
    if (random.chance(0.5)) void sent.apply();
    else this.applyLater(sent);
  }

  private tornOff = false;
}

/** What reads brought back shows in the answers. */
function isWrite({ kind }: Sent<unknown>): boolean {
  return kind !== 'read';
}

function answerOf<T>(sent: Sent<T>, fault: 'conflict' | 'unclear'): T {
  return (sent[fault] ?? sent.apply)();
}

/** Arrives twice; the first answer counts. */
function twice<T>(apply: () => T): T {
  const outcome = apply();
  apply();
  return outcome;
}

/** Whether they replace several documents of one collection. */
function isToldInTotals(writes: readonly DocumentWrite[]): boolean {
  const collections = writes.filter(isReplacement).map(({ collection }) => collection);
  return new Set(collections).size < collections.length;
}

function unavailable(outcomeUnknown: boolean): StoreUnavailableError {
  return new StoreUnavailableError('The store cannot be reached.', outcomeUnknown);
}

function textOf(outcome: unknown): string {
  if (outcome instanceof Error) return 'unavailable';
  return JSON.stringify(outcome, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

/** The event store as one process reaches it. */
export class WiredEventStore implements EventStore {
  private readonly subscriptions = new Set<Subscription>();

  constructor(
    private readonly wire: Wire,
    private readonly store: MemoryEventStore,
  ) {}

  append(appends: readonly StreamAppend[]): Promise<AppendOutcome[]> {
    const sent = frozenCopy(appends);
    return this.wire.send({
      target: 'events',
      kind: 'append',
      apply: () => this.store.appendNow(sent),
      conflict: () =>
        sent.map(({ stream }) => {
          const head = this.store.readStreamNow(stream).length - 1;
          return { kind: 'conflict', stream, actual: head === -1 ? 'no_stream' : head };
        }),
    });
  }

  readStream(stream: string, options?: ReadStreamOptions): Promise<RecordedEvent[]> {
    return this.read(() => this.store.readStreamNow(stream, options));
  }

  readAll(options: ReadAllOptions): Promise<RecordedEvent[]> {
    return this.read(() => this.store.readAllNow(options));
  }

  head(): Promise<bigint | undefined> {
    return this.read(() => this.store.headNow());
  }

  subscribe(after: bigint | undefined, handler: SubscriptionHandler): Subscription {
    const subscription = this.store.subscribe(after, {
      handle: async (events) => {
        await this.wire.turn();
        await this.wire.lag();
        await handler.handle(events);
      },
      passed: async (position) => handler.passed?.(position),
      caughtUp: () => handler.caughtUp?.(),
      failed: (error) => handler.failed?.(error),
    });
    this.subscriptions.add(subscription);
    return subscription;
  }

  ping(): Promise<void> {
    return this.read(() => undefined);
  }

  /** The store goes on for others; the process only leaves it. */
  async close(): Promise<void> {
    for (const subscription of this.subscriptions) await subscription.stop();
  }

  /** Ends the deliveries of a process that is gone. */
  abandon(): void {
    for (const subscription of this.subscriptions) void subscription.stop();
  }

  private read<T>(apply: () => T): Promise<T> {
    return this.wire.send({ target: 'events', kind: 'read', apply });
  }
}

/** A document store as one process reaches it. */
export class WiredDocumentStore implements DocumentStore {
  constructor(
    private readonly wire: Wire,
    private readonly store: MemoryDocumentStore,
    private readonly target: 'records' | 'views',
  ) {}

  collection<D extends StoredDocument>(declaration: CollectionDeclaration<D>): Promise<Collection<D>> {
    const { name } = declaration;
    this.store.declareNow(declaration);
    return Promise.resolve({
      get: (id) => this.read(() => this.store.getNow(name, [id])[0] as D | undefined),
      getMany: (ids) => this.read(() => this.store.getNow(name, ids) as (D | undefined)[]),
      find: (index, options) =>
        this.read(
          () =>
            this.store.findNow(name, index, options) as unknown as {
              documents: D[];
              next_cursor: string | null;
            },
        ),
      findAny: (index, values) =>
        this.read(() => this.store.findAnyNow(name, index, values) as unknown as D[]),
      page: (after, limit) => this.read(() => this.store.pageNow(name, after, limit) as unknown as D[]),
    });
  }

  write(writes: readonly DocumentWrite[]): Promise<WriteOutcome[]> {
    if (writes.length === 0) return Promise.resolve([]);
    const sent = frozenCopy(writes);
    const { data } = this.store;
    // What comes late comes to data that may have been thrown away meanwhile.
    const apply = (some = sent) => (data === this.store.data ? this.store.writeNow(some) : []);
    return this.wire.send({
      target: this.target,
      kind: 'write',
      apply,
      ...(isToldInTotals(sent) ? { unclear: () => this.applyInPart(sent, apply) } : {}),
    });
  }

  /** Stores some of the replacements, and all other writes, and tells of none of the former. */
  private applyInPart(
    writes: readonly DocumentWrite[],
    apply: (writes: readonly DocumentWrite[]) => WriteOutcome[],
  ): WriteOutcome[] {
    const { random } = this.wire.scheduler;
    const refused = new Set(writes.filter((write) => isReplacement(write) && random.chance(0.5)));
    const outcomes = apply(writes.filter((write) => !refused.has(write)));
    let next = 0;
    return writes.map((write) => {
      const outcome = refused.has(write) ? undefined : outcomes[next++];
      return isReplacement(write) ? { kind: 'unclear' } : outcome!;
    });
  }

  /** Without a wire: limits are no part of what is simulated. */
  count(name: string, by: number, milliseconds: number): Promise<CountedWindow> {
    return this.store.count(name, by, milliseconds);
  }

  takeLease(name: string, owner: string, milliseconds: number): Promise<Lease | undefined> {
    return this.read(() => this.store.takeLeaseNow(name, owner, milliseconds));
  }

  renewLease(lease: Lease): Promise<boolean> {
    return this.read(() => this.store.changeLeaseNow(lease, lease.owner));
  }

  releaseLease(lease: Lease): Promise<void> {
    return this.read(() => void this.store.changeLeaseNow(lease, null));
  }

  drop(collection: string): Promise<void> {
    return this.read(() => void this.store.data.collections.delete(collection));
  }

  ping(): Promise<void> {
    return this.read(() => undefined);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private read<T>(apply: () => T): Promise<T> {
    return this.wire.send({ target: this.target, kind: 'read', apply });
  }
}
