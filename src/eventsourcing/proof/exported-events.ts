import type { RecordedEvent } from '#eventsourcing/log/event-store.js';
import { readLine } from './export-log.js';
import { linesOf } from './lines.js';

/** Reads events of an export, which may be larger than memory. Each call reads the whole file. */
export type ExportedEvents = (
  isWanted: (stream: string, text: string) => boolean,
) => AsyncGenerator<RecordedEvent>;

/** As `audit export` writes a line. */
const STREAM = /^\{"stream":("(?:[^"\\]|\\.)*")/;

/** The events of the lines for which `isWanted` is true. Other lines are not parsed. @throws ExportLineError */
export function eventsInExport(path: string): ExportedEvents {
  return async function* (isWanted) {
    let number = 0;
    for await (const text of linesOf(path)) {
      number += 1;
      const name = STREAM.exec(text)?.[1];
      if (name !== undefined && !isWanted(JSON.parse(name) as string, text)) continue;
      const line = readLine(text, number);
      if ('event' in line && isWanted(line.event.stream, text)) yield line.event;
    }
  };
}
