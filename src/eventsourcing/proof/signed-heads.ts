import type { RecordedEvent } from '#eventsourcing/log/event-store.js';
import type { AuditCheckpoint } from './checkpoint.js';
import { rootOf, type StreamHead, type StreamHeads } from './stream-heads.js';

/** A difference between the log and what was signed, in one line. */
export type Difference = string;

/** The number of events that a signature covers, and when it was made. */
export interface SignedReach {
  readonly events: number;
  /** ISO 8601 UTC with milliseconds. */
  readonly at: string;
}

/**
 * Compares a log with the stream heads that were signed earlier. The events of the log must come in order. A head's hash
 * covers all earlier events of its stream, so a stream that passes has only grown.
 */
export class SignedHeads {
  /** The newest signed head of each stream. */
  readonly #newest = new Map<string, StreamHead>();
  /** Signed hashes at earlier revisions of each stream. */
  readonly #earlier = new Map<string, Map<number, string>>();
  /** The last revision of each stream that was read. */
  readonly #read = new Map<string, number>();
  readonly #rewritten = new Map<string, number>();
  /** Checkpoints without the lines of their streams, the earliest first. */
  readonly #roots: AuditCheckpoint[] = [];
  readonly #heads = new Map<string, StreamHead>();
  readonly #signers = new Map<string, string>();
  #reach: SignedReach | undefined;
  #events = 0;
  readonly #differences: Difference[] = [];

  /**
   * @param key the public key that signatures must have; absent: any key
   * @param keeping `newestOnly` keeps only the newest head of each stream, to save memory. The newest head covers the earlier ones,
   *   unless the stream was rewritten between two checkpoints.
   */
  constructor(
    private readonly key: string | undefined,
    private readonly keeping: { readonly newestOnly?: boolean } = {},
  ) {}

  get acceptsOneKey(): boolean {
    return this.key !== undefined;
  }

  /** The public key of each right signature, with what it has signed last. */
  get signers(): ReadonlyMap<string, string> {
    return this.#signers;
  }

  /** The signature that covers most events; undefined if no signature is right. */
  get reach(): SignedReach | undefined {
    return this.#reach;
  }

  /** Reports a wrong signature, or one of another key. */
  addSignature(
    what: string,
    { key, events, at }: SignedReach & { readonly key: string },
    isRight: boolean,
  ): void {
    if (!isRight) return this.report(`The signature of ${what} is wrong.`);
    this.#signers.set(key, what);
    if (events >= (this.#reach?.events ?? 0)) this.#reach = { events, at };
    if (this.key !== undefined && key !== this.key)
      this.report(`${what} is signed with another key, ${key}.`);
  }

  report(difference: Difference): void {
    this.#differences.push(difference);
  }

  /** Adds a signed head. */
  addHead(stream: string, head: StreamHead): void {
    this.#compare(stream, head.revision, head.hash);
    const newest = this.#newest.get(stream);
    if (newest !== undefined && newest.revision > head.revision) return this.#keepEarlier(stream, head);
    this.#newest.set(stream, head);
    if (newest !== undefined && newest.revision < head.revision) this.#keepEarlier(stream, newest);
  }

  #keepEarlier(stream: string, { revision, hash }: StreamHead): void {
    if (this.keeping.newestOnly) return;
    const hashes = this.#earlier.get(stream) ?? new Map<number, string>();
    this.#earlier.set(stream, hashes.set(revision, hash));
  }

  #compare(stream: string, revision: number, hash: unknown): void {
    const newest = this.#newest.get(stream);
    const signed = newest?.revision === revision ? newest.hash : this.#earlier.get(stream)?.get(revision);
    if (signed !== undefined && signed !== hash) this.#rewritten.set(stream, revision);
  }

  /** Adds a checkpoint without the lines of its streams: its root must be that of the log's first events. */
  addRoot(checkpoint: AuditCheckpoint): void {
    if (checkpoint.events === 0) return;
    this.#roots.push(checkpoint);
    this.#roots.sort((one, other) => one.events - other.events);
  }

  /** Compares the next event of the log. */
  async check(event: RecordedEvent): Promise<void> {
    const { stream, revision, metadata } = event;
    if (this.#newest.has(stream)) {
      this.#compare(stream, revision, metadata['hash']);
      this.#read.set(stream, Math.max(revision, this.#read.get(stream) ?? -1));
    }
    if (this.#roots.length === 0) return;
    this.#events += 1;
    this.#heads.set(stream, { revision, hash: metadata['hash'] as string });
    while (this.#roots[0]?.events === this.#events) {
      const { at, events, root } = this.#roots.shift()!;
      if ((await rootOf(this.#heads)) !== root)
        this.report(`The first ${events} events are not those signed at ${at}.`);
    }
  }

  /** Every stream that was rewritten, shortened or removed. Call it after the whole log was read. */
  differences(): readonly Difference[] {
    const found = [...this.#differences];
    for (const [stream, { revision: signed }] of this.#newest) {
      const read = this.#read.get(stream) ?? -1;
      const rewritten = this.#rewritten.get(stream);
      if (read === -1) found.push(`Stream ${stream} was removed: it was signed up to revision ${signed}.`);
      else if (read < signed) {
        found.push(
          `Stream ${stream} was shortened to revision ${read}: it was signed up to revision ${signed}.`,
        );
      }
      if (rewritten !== undefined) {
        found.push(`Stream ${stream} was rewritten: at revision ${rewritten} it is not what was signed.`);
      }
    }
    for (const { at, events } of this.#roots) {
      if (events > this.#events) found.push(`The log is shorter than the ${events} events signed at ${at}.`);
    }
    return found;
  }
}

/** Reports heads of an export's manifest that do not give the signed root. */
export async function checkRoot(signed: SignedHeads, heads: StreamHeads, root: string): Promise<void> {
  if ((await rootOf(heads)) !== root)
    signed.report('The streams of the manifest differ from those that were signed.');
}
