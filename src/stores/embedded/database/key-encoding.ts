import { createHash } from 'node:crypto';

/**
 * Keys of the embedded store are byte strings: JavaScript strings whose characters are bytes (0 to 255). JavaScript
 * sorts them as lmdb does, and they are map keys that cost little to concatenate.
 *
 * Storage format: add, never change.
 */
export type ByteString = string;

/** lmdb allows 4,026 bytes with pages of 8 KiB. A table's byte and the last byte of a bound are added. */
export const maximumKeyBytes = 4_000;
/** A longer key is cut to this length, followed by a hash. */
const sortedBytes = 3_900;

const beyondAscii = /[\u0080-\uffff]/;
/** Text that needs no encoding and no escaping. */
const plain = /^[ -~]*$/;
const scratch = Buffer.alloc(8);

/** The UTF-8 bytes of a text. JavaScript strings themselves sort characters beyond U+FFFF differently. */
export function utf8Bytes(text: string): ByteString {
  return beyondAscii.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
}

const INTEGER_BYTES = 6;

/** A non-negative integer below 2^48 in six bytes that sort by size. */
export function integerBytes(value: number): ByteString {
  scratch.writeUIntBE(value, 0, INTEGER_BYTES);
  return scratch.toString('latin1', 0, INTEGER_BYTES);
}

export function integerFromBytes(bytes: ByteString): number {
  return Buffer.from(bytes, 'latin1').readUIntBE(0, INTEGER_BYTES);
}

/** Any finite number in eight bytes that sort by size. */
export function numberBytes(value: number): ByteString {
  scratch.writeDoubleBE(value === 0 ? 0 : value, 0);
  if (value < 0) {
    for (let index = 0; index < 8; index += 1) scratch[index] = ~scratch[index]!;
  } else {
    scratch[0] = scratch[0]! | 0x80;
  }
  return scratch.toString('latin1');
}

const nullTag = '\x01';
const numberTag = '\x02';
const stringTag = '\x03';

/** Sorts after null and before every number and string: the lower bound of a range that has only an upper one. */
export const afterNull = numberTag;

/** A key with this suffix sorts after all keys that begin with it. */
export const afterAll = '\xff';

/** The bytes of an index value. No value is a prefix of another one. */
export function indexValueBytes(value: null | number | string): ByteString {
  if (value === null) return nullTag;
  if (typeof value === 'number') return numberTag + numberBytes(value);
  return stringTag + (plain.test(value) ? value : escaped(utf8Bytes(value))) + '\0';
}

/** Replaces zero bytes, because a zero byte ends a string. Keeps the order. */
function escaped(bytes: ByteString): ByteString {
  return bytes.replaceAll('\x01', '\x01\x02').replaceAll('\0', '\x01\x01');
}

/**
 * Cuts a key that is too long for lmdb, and adds a hash to keep it unique. It sorts by its first 3,900 bytes. That is
 * more than this service's longest index key.
 */
export function fittingKey(key: ByteString): ByteString {
  if (key.length <= maximumKeyBytes) return key;
  return cutBound(key) + createHash('sha256').update(key, 'latin1').digest().toString('latin1');
}

/** Cuts a bound in the same way, without a hash. */
export function cutBound(bound: ByteString): ByteString {
  return bound.length > maximumKeyBytes ? bound.slice(0, sortedBytes) : bound;
}
