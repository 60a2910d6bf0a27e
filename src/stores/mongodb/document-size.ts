/** Bytes of each value in BSON beside its name and its text: type, length, ends. */
const BYTES_OF_VALUE = 8;

/**
 * About how many bytes a document takes in BSON. Stops counting at `most`, so that a document of megabytes costs no more time.
 */
export function sizeUpTo(document: object, most: number): number {
  let bytes = 0;
  const add = (value: unknown): void => {
    bytes += BYTES_OF_VALUE;
    if (typeof value === 'string') bytes += value.length;
    else if (typeof value === 'object' && value !== null) addMembers(value);
  };
  const addMembers = (value: object): void => {
    for (const [name, member] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
      if (bytes >= most) return;
      bytes += String(name).length;
      add(member);
    }
  };
  addMembers(document);
  return Math.min(bytes, most);
}
