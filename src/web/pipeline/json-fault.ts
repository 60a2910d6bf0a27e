const SPACES = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const QUOTE = /"/y;
/** All but quotes, backslashes and control characters. */
const CHARACTERS = /[ !#-[\]-\uffff]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;

/** Lines and columns count from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
  readonly isEnd: boolean;
}

/** The first place at which a text breaks the grammar of JSON; undefined if it does not. The text is not nested deeply. */
export function jsonFaultIn(text: string): TextPlace | undefined {
  const offset = new JsonGrammar(text).faultOffset();
  if (offset === undefined) return undefined;
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: [...lines.at(-1)!].length + 1, isEnd: offset === text.length };
}

/** Each method reads on behind what is sound, and is false at a fault. `JSON.parse` tells the place of only some faults. */
class JsonGrammar {
  #offset = 0;

  constructor(private readonly text: string) {}

  faultOffset(): number | undefined {
    if (!this.#readValue()) return this.#offset;
    this.#read(SPACES);
    return this.#offset === this.text.length ? undefined : this.#offset;
  }

  #readValue(): boolean {
    this.#read(SPACES);
    switch (this.text[this.#offset]) {
      case '{':
        return this.#readList('}', () => this.#readSign('"') && this.#readMember());
      case '[':
        return this.#readList(']', () => this.#readValue());
      case '"':
        return this.#readSign('"') && this.#readRestOfString();
      default:
        return this.#read(WORD) || this.#read(NUMBER);
    }
  }

  #readList(end: string, readItem: () => boolean): boolean {
    this.#offset += 1;
    if (this.#readSign(end)) return true;
    do if (!readItem()) return false;
    while (this.#readSign(','));
    return this.#readSign(end);
  }

  #readMember(): boolean {
    return this.#readRestOfString() && this.#readSign(':') && this.#readValue();
  }

  #readRestOfString(): boolean {
    do this.#read(CHARACTERS);
    while (this.#read(ESCAPE));
    return this.#read(QUOTE);
  }

  #readSign(sign: string): boolean {
    this.#read(SPACES);
    if (this.text[this.#offset] !== sign) return false;
    this.#offset += 1;
    return true;
  }

  #read(token: RegExp): boolean {
    token.lastIndex = this.#offset;
    if (!token.test(this.text)) return false;
    this.#offset = token.lastIndex;
    return true;
  }
}
