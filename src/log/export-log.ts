import { createHash } from 'node:crypto';
import type { EventStore, RecordedEvent } from './event-store.js';
import { type LogProgress, pagesOf } from './log-pass.js';
import { headOf, type StreamHead } from './verify.js';

/** What an export holds, so that whoever keeps it can tell later whether the log still says the same. */
export interface ExportManifest {
  readonly format: 1;
  readonly events: number;
  /** SHA-256 (hex) over all lines before this one, line ends included. */
  readonly sha256: string;
  /** Each stream's last event. */
  readonly streams: Readonly<Record<string, StreamHead>>;
}

/**
 * The whole log as NDJSON: each event a line, in the order of the log, and the manifest last. The lines end with a line
 * feed. Events that are stored meanwhile are in it up to where the reading overtakes the writing.
 * @param progress is told now and then how many events were given out.
 * @throws StoreUnavailableError
 */
export async function* exportLog(store: EventStore, progress?: LogProgress): AsyncGenerator<string> {
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
  const manifest: ExportManifest = {
    format: 1,
    events,
    sha256: digest.digest('hex'),
    streams: Object.fromEntries(heads),
  };
  yield `${JSON.stringify({ manifest })}\n`;
}

function lineOf({ stream, revision, position, id, type, data, metadata }: RecordedEvent): string {
  // A position is a 64-bit number, which JSON readers would round.
  return `${JSON.stringify({ stream, revision, position: String(position), id, type, data, metadata })}\n`;
}
