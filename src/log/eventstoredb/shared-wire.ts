import type { MessageReader } from './protobuf.js';

/** Numbers of fields that requests and answers have in common, as the server's protocol gives them. */
export const STREAM_NAME = 3;
export const UUID_TEXT = 2;
const UUID_HALVES = 1;
const HALF = { most: 1, least: 2 } as const;
const POSITION = { commit: 1, prepare: 2 } as const;

/** A place in the log as the server has it: of an event, commit and prepare are the same on every server that is supported. */
export interface Place {
  readonly commit: bigint;
  readonly prepare: bigint;
}

/** An id; a server may write it as text or as two numbers. */
export function readUuid(reader: MessageReader): string {
  let text = '';
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === UUID_TEXT) text = reader.text();
    else if (field === UUID_HALVES) text = uuidOf(reader.inner());
    else reader.skip();
  }
  return text;
}

function uuidOf(reader: MessageReader): string {
  let most = 0n;
  let least = 0n;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === HALF.most) most = reader.bigint();
    else if (field === HALF.least) least = reader.bigint();
    else reader.skip();
  }
  const half = (bits: bigint) => BigInt.asUintN(64, bits).toString(16).padStart(16, '0');
  return (half(most) + half(least)).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The place in the log that a message tells. */
export function readPlace(reader: MessageReader): Place {
  let commit = 0n;
  let prepare = 0n;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === POSITION.commit) commit = reader.bigint();
    else if (field === POSITION.prepare) prepare = reader.bigint();
    else reader.skip();
  }
  return { commit, prepare };
}

/** The name of a stream. */
export function readStreamName(reader: MessageReader): string {
  let name = '';
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === STREAM_NAME) name = reader.text();
    else reader.skip();
  }
  return name;
}
