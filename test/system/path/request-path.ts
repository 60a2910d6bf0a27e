import { type Profiler, Session } from 'node:inspector';
import { join, sep } from 'node:path';

const SOURCE = join(__dirname, '..', '..', '..', 'src') + sep;
/** Requests before the first one that counts: by then all code is loaded and every cache is filled. */
const WARM_UP = 20;
const COUNTED = 5;
/** A getter that the compiler writes for an import; it is no code of ours. */
const IMPORTED = /^(get )?\w* ?\(\) \{\s*return (?!this\b)[\w.[\]]+;\s*\}$/;

/** One of the service's own functions that a request called. */
export interface CalledFunction {
  /** Below `src`. */
  readonly file: string;
  readonly name: string;
  readonly calls: number;
  readonly scriptId: string;
  /** Where it begins in the compiled script, in characters. */
  readonly offset: number;
}

/** The service's own code that one request ran. */
export interface RequestPath {
  readonly files: number;
  readonly calls: number;
  readonly functions: readonly CalledFunction[];
}

/**
 * Counts, by V8's precise coverage, the service's own files and function calls of one warm request.
 * @param send sends the request and waits for its answer
 * @returns the cheapest of five requests
 */
export async function measurePath(send: () => Promise<void>): Promise<RequestPath> {
  const coverage = new Coverage();
  try {
    for (let sent = 0; sent < WARM_UP; sent += 1) await send();
    const measured: RequestPath[] = [];
    for (let sent = 0; sent < COUNTED; sent += 1) {
      coverage.take();
      await send();
      measured.push(toPath(coverage.take()));
    }
    return measured.sort((one, other) => one.calls - other.calls)[0]!;
  } finally {
    coverage.stop();
  }
}

/** Counts calls of all functions from its creation on. */
class Coverage {
  readonly #session = new Session();
  readonly #sources = new Map<string, string>();

  constructor() {
    this.#session.connect();
    this.#post('Profiler.enable');
    this.#post('Debugger.enable');
    this.#post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }

  /** The functions called since the last time. */
  take(): CalledFunction[] {
    const { result } = this.#post<Profiler.TakePreciseCoverageReturnType>('Profiler.takePreciseCoverage');
    return result.flatMap((script) => this.#called(script));
  }

  stop(): void {
    this.#post('Profiler.stopPreciseCoverage');
    this.#session.disconnect();
  }

  #called({ scriptId, url, functions }: Profiler.ScriptCoverage): CalledFunction[] {
    const path = url.replace('file://', '');
    if (!path.startsWith(SOURCE)) return [];
    const file = path.slice(SOURCE.length);
    return functions.flatMap(({ functionName, ranges }) => {
      const { count, startOffset, endOffset } = ranges[0]!;
      if (count === 0) return [];
      if (functionName.startsWith('get') && this.#isImport(scriptId, startOffset, endOffset)) return [];
      const name = functionName === '' ? '(anonymous)' : functionName;
      return [{ file, name, calls: count, scriptId, offset: startOffset }];
    });
  }

  #isImport(scriptId: string, from: number, to: number): boolean {
    let source = this.#sources.get(scriptId);
    if (source === undefined) {
      source = this.#post<{ scriptSource: string }>('Debugger.getScriptSource', { scriptId }).scriptSource;
      this.#sources.set(scriptId, source);
    }
    return IMPORTED.test(source.slice(from, to));
  }

  /** A session of the same thread answers before `post` returns. */
  #post<Result>(method: string, parameters: object = {}): Result {
    let answer!: Result;
    this.#session.post(method, parameters, (error, result) => {
      if (error !== null) throw new Error(`${method} failed: ${JSON.stringify(error)}`);
      answer = result as Result;
    });
    return answer;
  }
}

function toPath(functions: readonly CalledFunction[]): RequestPath {
  const files = new Set(functions.map(({ file }) => file)).size;
  return { files, calls: functions.reduce((sum, { calls }) => sum + calls, 0), functions };
}
