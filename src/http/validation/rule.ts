import type { JsonSchema } from './json-schema.js';

/** Answers the end of the sentence "The … field …" where a value is refused ("must be a string."), undefined where it is fine. */
export type Check = (value: unknown) => string | undefined;

/** A check of one value that is present, and how the description of the interface tells of it. */
export interface Rule {
  (value: unknown): string | undefined;
  /**
   * As far as JSON Schema can say it: e-mail addresses, URLs, time zones, days and instants are only named, as no pattern of
   * bearable length takes what their readers take. A query parameter of the type `number`, `integer` or `boolean` is read
   * from its text.
   */
  readonly schema: JsonSchema;
}

export function rule(schema: JsonSchema, check: Check): Rule {
  return Object.assign(check, { schema });
}

const CONTROL = /\p{Cc}/u;
const LONE_SURROGATE = /\p{Cs}/u;

/** Length in Unicode code points, which is what a person counts and what no encoding changes. */
export function codePoints(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = text.charCodeAt(index + 1);
      if (next >= 0xdc00 && next <= 0xdfff) {
        length--;
        index++;
      }
    }
  }
  return length;
}

/** Whether a text is longer than `max` code points; counts only where the UTF-16 length leaves a doubt. */
export function isLonger(text: string, max: number): boolean {
  return text.length > max && codePoints(text) > max;
}

/** Refuses characters that no display shows and text that is not valid Unicode. */
export function characterFault(text: string): string | undefined {
  if (CONTROL.test(text)) return 'must not contain control characters.';
  if (LONE_SURROGATE.test(text)) return 'must be valid Unicode text.';
  return undefined;
}

/** "1 character", "2 characters". */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
