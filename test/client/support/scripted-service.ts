import { connect, type ConnectOptions, type StorageAccessClient } from 'storage-access-client';

export interface SentRequest {
  readonly line: string;
  readonly key: string | null;
  readonly headers: Headers;
  readonly body: unknown;
}

type Reply = Response | Error | ((request: SentRequest) => Response);

/** A service that answers by a script, a clock that waits for nobody, and dice that show what they are told. */
export class ScriptedService {
  readonly requests: SentRequest[] = [];
  readonly pauses: number[] = [];
  readonly timeouts: number[] = [];
  now = Date.parse('2026-01-01T12:00:00Z');
  chance = 0;
  /** Told before each pause. */
  beforePause: () => void = () => undefined;
  readonly #script: Reply[];
  #keys = 0;

  constructor(...script: Reply[]) {
    this.#script = script;
  }

  then(...script: Reply[]): void {
    this.#script.push(...script);
  }

  client(options: Partial<ConnectOptions> = {}): StorageAccessClient {
    return connect({
      baseUrl: 'http://service.test/',
      token: 'secret-token',
      environment: {
        fetch: (request) => this.#answer(request),
        now: () => this.now,
        sleep: (milliseconds, signal) => {
          this.beforePause();
          if (signal.aborted) return Promise.reject(signal.reason as Error);
          this.pauses.push(milliseconds);
          this.now += milliseconds;
          return Promise.resolve();
        },
        random: () => this.chance,
        newKey: () => `key-${++this.#keys}`,
        timeout: (milliseconds) => {
          this.timeouts.push(milliseconds);
          return new AbortController().signal;
        },
      },
      ...options,
    });
  }

  async #answer(request: Request): Promise<Response> {
    const text = await request.text();
    const sent = {
      line: `${request.method} ${request.url.replace('http://service.test', '')}`,
      key: request.headers.get('idempotency-key'),
      headers: request.headers,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    };
    this.requests.push(sent);
    const reply = this.#script.shift();
    if (reply === undefined) throw new Error(`Nobody expected ${sent.line}.`);
    if (reply instanceof Error) throw reply;
    return typeof reply === 'function' ? reply(sent) : reply;
  }
}

export function success(data: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json({ message: 'Request successful.', data }, { headers });
}

export function refusal(
  status: number,
  code: string,
  more: {
    readonly errors?: object;
    readonly details?: readonly object[];
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Response {
  const { headers = {}, ...told } = more;
  return Response.json({ message: `It was ${code}.`, code, ...told }, { status, headers });
}

/** As the system's fetch fails where nobody listens. */
export function connectionLost(): Error {
  return new TypeError('fetch failed', {
    cause: Object.assign(new Error('Bearer secret-token'), { code: 'ECONNRESET' }),
  });
}
