import { createHash } from 'node:crypto';
import { isObject } from '#kernel/core/is-object.js';
import type { EventStore, RecordedEvent } from '#eventsourcing/log/event-store.js';
import { pagesOf } from '#eventsourcing/log/log-pass.js';
import type { LogProgress } from '#eventsourcing/log/log-progress.js';
import { headOf, rootOf, type StreamHead } from './stream-heads.js';
import { isSignedBy, type SigningKey } from './signing-key.js';

/** The last line of an export. With it the owner can check later that the log has not changed. */
export interface ExportManifest {
  readonly format: 1;
  /** ISO 8601 UTC with milliseconds. */
  readonly at: string;
  readonly events: number;
  /** SHA-256 (hex) over all lines before this one, line ends included. */
  readonly sha256: string;
  /** {@link rootOf} the streams' heads. */
  readonly root: string;
  /** The public key, base64 of its SPKI form. */
  readonly key: string;
  /** Ed25519 over format, at, events, sha256, root and key, as JSON in this order; base64. */
  readonly signature: string;
  /** The head of each stream. */
  readonly streams: Readonly<Record<string, StreamHead>>;
}

/**
 * The whole log as NDJSON lines: each event in the order of the log, then the manifest. Events that are stored meanwhile
 * are included.
 * @throws StoreUnavailableError
 */
export async function* exportLog(
  store: EventStore,
  key: SigningKey,
  now: () => string,
  progress?: LogProgress,
): AsyncGenerator<string> {
  const digest = createHash('sha256');
  const heads = new Map<string, StreamHead>();
  let events = 0;
  for await (const page of pagesOf(store, progress)) {
    for (const event of page) {
      const line = lineOf(event);
      digest.update(line);
      heads.set(event.stream, headOf(event));
      yield line;
    }
    events += page.length;
  }
  const sha256 = digest.digest('hex');
  const statement = {
    format: 1 as const,
    at: now(),
    events,
    sha256,
    root: await rootOf(heads),
    key: key.name,
  };
  const signature = key.sign(signedText(statement));
  const manifest: ExportManifest = { ...statement, signature, streams: Object.fromEntries(heads) };
  yield `${lineOfManifest(manifest)}\n`;
}

/** With exactly the members that are signed, or that the signed root holds. */
function lineOfManifest(manifest: ExportManifest): string {
  const heads = Object.entries(manifest.streams).map(([stream, head]) => {
    const { revision, hash } = Object(head) as StreamHead;
    return [stream, { revision, hash }];
  });
  const streams = Object.fromEntries(heads) as object;
  return JSON.stringify({ manifest: { ...signedPart(manifest), signature: manifest.signature, streams } });
}

/** True if the signature is right for the manifest's own key. */
export function isSignedManifest(manifest: ExportManifest): boolean {
  return isSignedBy(manifest.key, signedText(manifest), manifest.signature);
}

type SignedPart = Omit<ExportManifest, 'signature' | 'streams'>;

function signedPart({ format, at, events, sha256, root, key }: SignedPart): SignedPart {
  return { format, at, events, sha256, root, key };
}

function signedText(manifest: SignedPart): string {
  return JSON.stringify(signedPart(manifest));
}

/** A line of an export. */
export type ExportLine = { readonly manifest: ExportManifest } | { readonly event: RecordedEvent };

/** A line of the file is not a line of an export. */
export class ExportLineError extends Error {
  readonly code = 'export_line';

  /** @param number from 1 */
  constructor(number: number) {
    super(`Line ${number} is neither an event nor the manifest of an export.`);
  }
}

/** @param number of the line, from 1 @throws ExportLineError */
export function readLine(line: string, number: number): ExportLine {
  const members = parsed(line);
  if (isObject(members?.manifest?.streams)) {
    // Other text beside the signed members would pass as signed.
    if (line !== lineOfManifest(members.manifest)) throw new ExportLineError(number);
    return { manifest: members.manifest };
  }
  if (!isObject(members?.metadata) || !/^\d{1,20}$/.test(String(members.position)))
    throw new ExportLineError(number);
  const { position, ...event } = members;
  return { event: { ...event, position: BigInt(position) } };
}

type Members = { manifest?: ExportManifest } & Record<keyof RecordedEvent, never>;

function parsed(line: string): Members | null {
  try {
    return JSON.parse(line) as Members | null;
  } catch {
    return null;
  }
}

function lineOf({ stream, revision, position, id, type, data, metadata }: RecordedEvent): string {
  // As a string, because JSON readers would round a 64-bit number.
  return `${JSON.stringify({ stream, revision, position: String(position), id, type, data, metadata })}\n`;
}
