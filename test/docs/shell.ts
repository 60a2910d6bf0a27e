/** A line of a `bash` block of the documentation. */
export interface Statement {
  readonly words: readonly string[];
  /** The text after `#`. Empty if there is none. */
  readonly comment: string;
}

type Variables = Readonly<Record<string, string>>;

/**
 * Reads as much of the shell's language as the documentation uses: words, both kinds of quotes, `$NAME`,
 * `${NAME:-default}`, lines that end in a backslash, and comments.
 * @throws Error for an unset variable and for a quote that is never closed.
 */
export function parseShell(text: string, variables: () => Variables): (() => Statement)[] {
  return statements(text).map((source) => () => new Reader(source, variables()).read());
}

/** A whole statement: comments first, since an apostrophe in one is no quote, then quoted texts, which may span lines. */
const STATEMENT = /(?:(?<=^|\s)#[^\n]*|'[^']*'|"[^"]*"|[^\n'"])+/g;

/** The statements of a block as they stand, with their comments. */
export function statements(text: string): string[] {
  const joined = text.replace(/\\\n/g, ' ');
  const rest = joined.replace(STATEMENT, '').trim();
  if (rest !== '') throw new Error(`An open quote: ${rest}`);
  const found = joined.match(STATEMENT) ?? [];
  return found.map((one) => one.trim()).filter((one) => one !== '' && !one.startsWith('#'));
}

class Reader {
  #place = 0;
  #words: string[] = [];

  constructor(
    private readonly source: string,
    private readonly variables: Variables,
  ) {}

  read(): Statement {
    for (;;) {
      this.#take(/\s*/y);
      if (this.#place >= this.source.length) return { words: this.#words, comment: '' };
      if (this.source[this.#place] === '#') {
        return { words: this.#words, comment: this.source.slice(this.#place + 1).trim() };
      }
      this.#words.push(this.#word());
    }
  }

  #word(): string {
    let word = '';
    while (this.#place < this.source.length && !/\s/.test(this.source[this.#place]!)) {
      const single = this.#take(/'([^']*)'/y);
      const double = single ?? this.#take(/"([^"]*)"/y);
      if (single !== undefined) word += single;
      else if (double !== undefined) word += this.#expand(double);
      else word += this.#expand(this.#take(/([^\s'"]+)/y)!);
    }
    return word;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#place;
    const match = pattern.exec(this.source);
    if (match === null) return undefined;
    this.#place += match[0].length;
    return match[1] ?? '';
  }

  #expand(text: string): string {
    return text.replace(/\$(?:([A-Z_]+)|\{([A-Z_]+):-([^}]*)\})/g, (_, plain, braced, byDefault) => {
      const name = (plain ?? braced) as string;
      const value = this.variables[name] ?? (byDefault as string | undefined);
      if (value === undefined) throw new Error(`$${name} is not set where it is used: ${this.source}`);
      return value;
    });
  }
}

/** A request as `curl` would make it. */
export interface CurlRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

type Draft = { -readonly [Member in keyof CurlRequest]?: CurlRequest[Member] } & {
  headers: Record<string, string>;
};

const OPTIONS: Readonly<Record<string, (draft: Draft, value: string) => void>> = {
  '-X': (draft, value) => (draft.method = value),
  '-d': (draft, value) => (draft.body = value),
  '-H': ({ headers }, value) => {
    const [, name, content] = /^([^:]+): (.+)$/.exec(value) ?? [];
    if (name === undefined || content === undefined) throw new Error(`No header: ${value}`);
    headers[name] = content;
  },
};

/** @throws Error for an option that the documentation has no need of. */
export function readCurl(words: readonly string[]): CurlRequest {
  const draft: Draft = { headers: {} };
  const rest = words.slice(1).filter((word) => word !== '-sS');
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const option = OPTIONS[word];
    if (option !== undefined) option(draft, rest.shift() ?? '');
    else if (word.startsWith('-')) throw new Error(`Unknown option ${word}.`);
    else draft.url = word;
  }
  const { url, method, headers, body } = draft;
  if (url === undefined) throw new Error(`No address: ${words.join(' ')}`);
  return { url, method: method ?? (body === undefined ? 'GET' : 'POST'), headers, body };
}
