import type { KeyFormat } from '#domain/locations/index.js';
import { Select } from '../parts/choices.js';

const FORMATS = [
  ['1', '1: a key holds from when it is given'],
  ['3', '3: a key may begin later'],
] as const;

export function keyFormatText(format: KeyFormat): string {
  return FORMATS.find(([value]) => value === String(format))![1];
}

const HINTS = {
  gate: 'Choose 3 if its reader checks when a key begins: only then a phone without a network gets tomorrow’s key. A reader that does not know format 3 opens for nobody with it.',
  lock: 'Choose 3 if the lock checks when a key begins. A lock that does not know format 3 opens for nobody with it.',
} as const;

interface KeyFormatFieldProps {
  readonly of: keyof typeof HINTS;
  readonly value: KeyFormat;
}

/** The format of keys that a lock, or the reader of a gate, knows. */
export function KeyFormatField({ of, value }: KeyFormatFieldProps) {
  return (
    <Select name="key_format" label="Key format" options={FORMATS} value={String(value)} hint={HINTS[of]} />
  );
}
