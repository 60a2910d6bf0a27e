import { Agent, request } from 'node:http';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Whatever JSON an answer holds. Tests compare it as a whole, so it is not typed further. */
export type Parsed = ReturnType<typeof JSON.parse>;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it came, for answers that must agree byte for byte. */
  readonly text: string;
  readonly body: Parsed;
}

export interface CallOptions {
  /** Sent as JSON; a string is sent as it stands. */
  readonly body?: unknown;
  /** Bearer token. */
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** The test expects an answer of 500 or more. Otherwise one is thrown, whatever the test looks at. */
  readonly mayFail?: boolean;
}

/** Tells what is wrong with an answer. */
export interface AnswerCheck {
  faultsOf(method: Method, path: string, answer: Answer): string[];
}

/** Calls a server on this machine, the path being sent exactly as given. */
export class HttpClient {
  readonly #agent = new Agent({ keepAlive: true });

  /** @param described what every answer is held to; left out where the server is not this service */
  constructor(
    readonly port: number,
    private readonly described?: AnswerCheck,
  ) {}

  async call(method: Method, path: string, options: CallOptions = {}): Promise<Answer> {
    const answer = await this.#send(method, path, options);
    if (answer.status >= 500 && !options.mayFail) {
      throw new Error(`${method} ${path} was answered with ${answer.status}: ${answer.text}`);
    }
    const faults = this.described?.faultsOf(method, path, answer) ?? [];
    if (faults.length > 0) throw new Error(`The OpenAPI document tells otherwise:\n${faults.join('\n')}`);
    return answer;
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(method: Method, path: string, { body, token, headers = {} }: CallOptions): Promise<Answer> {
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const sent: Record<string, string | number> = {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(text === undefined
        ? {}
        : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
      ...headers,
    };
    const target = { port: this.port, host: '127.0.0.1', agent: this.#agent };
    return new Promise((resolve, reject) => {
      const call = request({ ...target, method: method.toUpperCase(), path, headers: sent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const received = Buffer.concat(chunks).toString('utf8');
          const isJson = response.headers['content-type']?.includes('json') === true;
          resolve({
            status: response.statusCode!,
            headers: response.headers as Record<string, string>,
            text: received,
            body: isJson ? JSON.parse(received) : undefined,
          });
        });
      });
      call.on('error', reject);
      call.end(text);
    });
  }
}
