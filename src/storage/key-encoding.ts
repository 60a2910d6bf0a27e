import { createHash } from 'node:crypto';

/**
 * Keys of the embedded store are byte strings: JavaScript strings whose characters are bytes (0 to 255). They sort in
 * memory as lmdb sorts their bytes, serve as map keys, and are concatenated cheaply.
 *
 * Storage format: add, never change.
 */
export type ByteString = string;

/** lmdb takes 4,026 bytes with pages of 8 KiB: room is left for a table's byte and a bound's last byte. */
export const maximumKeyBytes = 4_000;
/** A longer key sorts by so many bytes, and ends in a hash. */
const sortedBytes = 3_900;

const beyondAscii = /[\u0080-\uffff]/;
/** Neither to be encoded nor to be escaped. */
const plain = /^[ -~]*$/;
const scratch = Buffer.alloc(8);

/** The UTF-8 bytes of a text. Comparing JavaScript strings instead would misplace what lies beyond U+FFFF. */
export function utf8Bytes(text: string): ByteString {
  return beyondAscii.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
}

export const INTEGER_BYTES = 6;

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

/** Sorts before every number and string, and after null: the lower end of a range that has only an upper bound. */
export const afterNull = numberTag;

/** Follows every continuation of a key. */
export const afterAll = '\xff';

/** A value of an index key: it ends in itself, so that no value is a prefix of another. */
export function indexValueBytes(value: null | number | string): ByteString {
  if (value === null) return nullTag;
  if (typeof value === 'number') return numberTag + numberBytes(value);
  return stringTag + (plain.test(value) ? value : escaped(utf8Bytes(value))) + '\0';
}

/** Frees the zero byte to be the end mark, keeping the order. */
function escaped(bytes: ByteString): ByteString {
  return bytes.replaceAll('\x01', '\x01\x02').replaceAll('\0', '\x01\x01');
}

/**
 * Cuts a key that lmdb would not take and makes it unique again by a hash. Such keys still sort by their first 3,900
 * bytes, which is more than three of the longest values and an id that this service stores.
 */
export function fittingKey(key: ByteString): ByteString {
  if (key.length <= maximumKeyBytes) return key;
  return cutBound(key) + createHash('sha256').update(key, 'latin1').digest().toString('latin1');
}

/** The part of a key or bound by which lmdb sorts it. */
export function cutBound(bound: ByteString): ByteString {
  return bound.length > maximumKeyBytes ? bound.slice(0, sortedBytes) : bound;
}
