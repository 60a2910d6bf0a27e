import { createReadStream } from 'node:fs';

const LINE_FEED = 10;

export interface Line {
  /** Without its end. */
  readonly text: string;
  /** Bytes of the file up to its end, which they include. */
  readonly end: number;
  /** False for a last line that has no end. */
  readonly isEnded: boolean;
}

/** The lines of a file, a line at a time. Only a line feed ends one, unlike in `readline`. */
export async function* placedLinesOf(path: string): AsyncGenerator<Line> {
  let begun: Buffer[] = [];
  let read = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      const text = Buffer.concat([...begun, chunk.subarray(from, end)]).toString();
      begun = [];
      from = end + 1;
      yield { text, end: read + from, isEnded: true };
    }
    begun.push(chunk.subarray(from));
    read += chunk.length;
  }
  const rest = Buffer.concat(begun);
  if (rest.length > 0) yield { text: rest.toString(), end: read, isEnded: false };
}

/** The texts of these lines alone. */
export async function* linesOf(path: string): AsyncGenerator<string> {
  for await (const { text } of placedLinesOf(path)) yield text;
}
