import type { RecordedEvent } from '../event-store.js';
import { type Checkpoint, isSigned } from './checkpoint.js';
import { rootOf, type StreamHead, type StreamHeads } from './stream-heads.js';

/** What of a log is not as it was signed. One line. */
export type Difference = string;

/**
 * Holds a log, as it is read in order, to what was signed of it: where each stream stood at every checkpoint. The chain
 * covers what came before in the stream, so a stream that passes is what it was, and may have grown.
 */
export class SignedHeads {
  readonly #hashes = new Map<string, Map<number, string>>();
  /** Up to which revision each of these streams was read. */
  readonly #read = new Map<string, number>();
  readonly #rewritten = new Map<string, number>();
  /** Checkpoints that come without the heads they were made of, the earliest first. */
  readonly #roots: Checkpoint[] = [];
  readonly #heads = new Map<string, StreamHead>();
  #events = 0;
  readonly #differences: Difference[] = [];

  /** @param name the public key that signatures are to be of; absent where any is taken */
  constructor(private readonly name: string | undefined) {}

  /** Tells of what is signed that its signature does not fit, or is not of the key that was expected. */
  demandSigned(what: string, { key }: { readonly key: string }, isRight: boolean): void {
    if (!isRight) this.tell(`The signature of ${what} does not fit.`);
    else if (this.name !== undefined && key !== this.name)
      this.tell(`${what} is signed with another key, ${key}.`);
  }

  tell(difference: Difference): void {
    this.#differences.push(difference);
  }

  /** A stream stood there. */
  expect(stream: string, { revision, hash }: StreamHead): void {
    const hashes = this.#hashes.get(stream) ?? new Map<number, string>();
    if ((hashes.get(revision) ?? hash) !== hash) this.#rewritten.set(stream, revision);
    this.#hashes.set(stream, hashes.set(revision, hash));
  }

  /** The log was this when so many events of it, in its order, had been stored. */
  expectRoot(checkpoint: Checkpoint): void {
    this.#roots.push(checkpoint);
    this.#roots.sort((one, other) => one.events - other.events);
  }

  async take(event: RecordedEvent): Promise<void> {
    const { stream, revision, metadata } = event;
    const hashes = this.#hashes.get(stream);
    if (hashes !== undefined) {
      if ((hashes.get(revision) ?? metadata['hash']) !== metadata['hash'])
        this.#rewritten.set(stream, revision);
      this.#read.set(stream, Math.max(revision, this.#read.get(stream) ?? -1));
    }
    if (this.#roots.length === 0) return;
    this.#events += 1;
    this.#heads.set(stream, { revision, hash: metadata['hash'] as string });
    while (this.#roots[0]?.events === this.#events) {
      const { at, events, root } = this.#roots.shift()!;
      if ((await rootOf(this.#heads)) !== root)
        this.tell(`The first ${events} events are not those signed at ${at}.`);
    }
  }

  /** Every stream that was rewritten, shortened or removed, once all of the log has been read. */
  differences(): readonly Difference[] {
    const found = [...this.#differences];
    for (const [stream, hashes] of this.#hashes) {
      const read = this.#read.get(stream) ?? -1;
      const signed = Math.max(...hashes.keys());
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

/**
 * Expects what a checkpoint file says.
 * @param lines without their ends
 * @param heads gets where each stream stood last
 * @returns the last checkpoint @throws CheckpointFileError
 */
export async function expectCheckpoints(
  signed: SignedHeads,
  lines: AsyncIterable<string>,
  heads = new Map<string, StreamHead>(),
): Promise<Checkpoint> {
  let last: Checkpoint | undefined;
  for await (const line of lines) {
    const member = readMember(line);
    if (Array.isArray(member)) {
      const [stream, revision, hash] = member;
      heads.set(stream, { revision, hash });
      signed.expect(stream, { revision, hash });
      continue;
    }
    last = member;
    signed.demandSigned(`the checkpoint of ${last.at}`, last, isSigned(last));
    if (heads.size === 0) signed.expectRoot(last);
  }
  if (last === undefined) throw new CheckpointFileError('holds no checkpoint');
  if (heads.size > 0 && (await rootOf(heads)) !== last.root) {
    signed.tell(`The heads in the file are not those signed at ${last.at}.`);
  }
  return last;
}

type Member = Checkpoint | [stream: string, revision: number, hash: string];

function readMember(line: string): Member {
  try {
    const member = JSON.parse(line) as Member | null;
    if (Array.isArray(member) ? member.length === 3 : typeof member?.root === 'string') return member!;
  } catch {
    // Told below.
  }
  throw new CheckpointFileError('has a line that is neither a checkpoint nor where a stream stood');
}

/** A file of checkpoints cannot be read as one. The message is one line. */
export class CheckpointFileError extends Error {
  readonly code = 'checkpoint_file';

  constructor(fault: string) {
    super(`The file of checkpoints ${fault}.`);
    this.name = 'CheckpointFileError';
  }
}

/** Expects what the manifest of an export says of its streams. */
export async function expectHeads(signed: SignedHeads, heads: StreamHeads, root: string): Promise<void> {
  for (const [stream, head] of heads) signed.expect(stream, head);
  await demandRoot(signed, heads, root);
}

/** Tells where heads are not those that a signed root was made of. */
export async function demandRoot(signed: SignedHeads, heads: StreamHeads, root: string): Promise<void> {
  if ((await rootOf(heads)) !== root)
    signed.tell('The streams of the manifest are not those that were signed.');
}
