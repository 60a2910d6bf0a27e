import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Call } from './calls.js';

/** A client that a generator made of the document. */
export interface MadeClient {
  /** Lines in which the generator complained. */
  readonly warnings: readonly string[];
  /** True if the client has the operation. */
  has(operation: string): boolean;
  /** Loads every part of the client and makes the calls, in order. @throws Error if a part cannot be loaded */
  play(baseUrl: string, calls: readonly Call[]): Promise<Played[]>;
}

/** A call as the client saw it. */
export interface Played {
  readonly operation: string;
  readonly status: number;
  /** The answer as it came. */
  readonly raw: unknown;
  /** The answer after the client read it into its own types and wrote it again. */
  readonly read: unknown;
  /** The error that the client threw; null if it threw none. */
  readonly thrown: string | null;
}

export interface Generator {
  readonly name: string;
  /** True if the client does not tell members that are null or empty from those that are absent. */
  readonly dropsEmpty?: boolean;
  /**
   * @param file the document
   * @param folder where the client is made
   * @throws Error that tells what is missing
   */
  make(file: string, folder: string, say: (line: string) => void): Promise<MadeClient>;
}

const MOST_OUTPUT = 64 * 1024 * 1024;

type Variables = Readonly<Record<string, string>>;

/** Runs a program to its end. @throws Error with what it wrote, if it fails */
export function run(
  program: string,
  parameters: readonly string[],
  folder: string,
  { input = '', variables = {} }: { readonly input?: string; readonly variables?: Variables } = {},
) {
  const env = { ...process.env, ...variables };
  const ran = promisify(execFile)(program, parameters, { cwd: folder, maxBuffer: MOST_OUTPUT, env });
  ran.child.stdin!.end(input);
  return ran;
}

/** Runs a driver: it reads JSON from standard input and writes a line of JSON for each call. */
export async function drive(
  program: string,
  parameters: readonly string[],
  folder: string,
  given: object,
  variables: Variables = {},
): Promise<Played[]> {
  const { stdout } = await run(program, parameters, folder, { input: JSON.stringify(given), variables });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Played);
}

/** `list_unit_history` for `listUnitHistory`. */
export function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
