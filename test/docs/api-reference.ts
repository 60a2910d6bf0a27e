/** A table row of an endpoint, as `docs/api.md` has it. */
export interface DocumentedEndpoint {
  /** `GET /api/v2/units/{}`: the names of parameters are the reader's. */
  readonly name: string;
  readonly who: readonly string[];
  /** Heading of the body's table, in the form of a link's anchor. */
  readonly body: string | undefined;
  readonly query: readonly string[];
  readonly statuses: readonly number[];
}

/** A row of a body's table. */
export interface DocumentedField {
  readonly name: string;
  readonly required: string;
  readonly nullable: string;
}

/** Under which prefixes the endpoints of a group answer besides the one that is written. */
const PREFIXES: Readonly<Record<string, { readonly written: string; readonly others: readonly string[] }>> = {
  Tenant: { written: '/api/v2/', others: ['/api/v1/', '/api/'] },
  'Earlier surface': { written: '/api/v1/', others: ['/api/'] },
  Health: { written: '/', others: ['/api/v2/', '/api/v1/', '/api/'] },
};

/** A path without the names of its parameters, be they `{id}` or `:id`. */
export function shapeOf(path: string): string {
  return path.replace(/\{[^}]+\}|:[^/]+/g, '{}');
}

/** Reads the tables of the API reference. */
export class ApiReference {
  constructor(private readonly markdown: string) {}

  /** Every endpoint under every path at which it is said to answer. */
  endpoints(): DocumentedEndpoint[] {
    return this.#sections().flatMap(({ title, rows }) =>
      rows.flatMap(([first = '', who = '', body = '', query = '', , statuses = '']) => {
        const [, method, path] = /^`([A-Z]+) (\/\S*)`$/.exec(first) ?? [];
        if (method === undefined || path === undefined) return [];
        return pathsOf(title, path).map((each) => ({
          name: `${method} ${shapeOf(each)}`,
          who: who.split(', '),
          body: /\(#([\w-]+)\)/.exec(body)?.[1],
          query: namesIn(query),
          statuses: [...statuses.matchAll(/\b\d{3}\b/g)].map(([status]) => Number(status)),
        }));
      }),
    );
  }

  /** The table below the heading that an anchor names. @throws Error where there is none. */
  fields(anchor: string): DocumentedField[] {
    const section = this.#sections().find(({ title }) => anchorOf(title) === anchor);
    if (section === undefined) throw new Error(`docs/api.md has no heading #${anchor}.`);
    return section.rows.map(([first = '', , required = '', nullable = '']) => ({
      name: namesIn(first)[0]!,
      required,
      nullable,
    }));
  }

  /** What the first columns of a section's tables name. */
  namesIn(title: string): string[] {
    const rows = this.#sections().find((section) => section.title === title)?.rows ?? [];
    return rows.flatMap(([first = '']) => namesIn(first));
  }

  #sections(): { readonly title: string; readonly rows: string[][] }[] {
    return this.markdown.split(/^#+ /m).map((section) => {
      const [title = '', ...lines] = section.split('\n');
      const cells = lines.filter((line) => line.startsWith('| ')).map(cellsOf);
      return { title, rows: cells.filter(([first = '']) => first.includes('`')) };
    });
  }
}

function pathsOf(group: string, path: string): string[] {
  const prefixes = PREFIXES[group];
  if (prefixes === undefined) return [path];
  const { written, others } = prefixes;
  return [path, ...others.map((other) => path.replace(written, other))];
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
}

function anchorOf(title: string): string {
  return title.trim().toLowerCase().replaceAll(' ', '-');
}
