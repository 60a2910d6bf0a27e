import { createReadStream } from 'node:fs';

const LINE_FEED = 10;

export interface Line {
  /** Without the line feed. */
  readonly text: string;
  /** Bytes of the file up to and including the line feed. */
  readonly end: number;
  /** False for a last line without a line feed. */
  readonly isEnded: boolean;
}

/** The lines of a file. Unlike in `readline`, only a line feed ends a line. */
export async function* placedLinesOf(path: string): AsyncGenerator<Line> {
  let partial: Buffer[] = [];
  let read = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      const text = Buffer.concat([...partial, chunk.subarray(from, end)]).toString();
      partial = [];
      from = end + 1;
      yield { text, end: read + from, isEnded: true };
    }
    partial.push(chunk.subarray(from));
    read += chunk.length;
  }
  const rest = Buffer.concat(partial);
  if (rest.length > 0) yield { text: rest.toString(), end: read, isEnded: false };
}

const CHUNK_CHARACTERS = 65_536;

/** Joins lines to larger chunks, because a write for each line is slow. */
export async function* chunksOf(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for await (const line of lines) {
    chunk += line;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

/** The texts of a file's lines. */
export async function* linesOf(path: string): AsyncGenerator<string> {
  for await (const { text } of placedLinesOf(path)) yield text;
}
