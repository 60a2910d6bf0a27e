/** An answer of the service, success or refusal. */
export interface Answer<T> {
  readonly status: number;
  readonly message: string;
  readonly data: T;
  readonly headers: Headers;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the service's address, with its query. */
  readonly path: string;
  readonly token?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer that the demonstration did not expect. */
export class UnexpectedAnswerError extends Error {
  constructor(call: Call, expected: number, answer: Answer<unknown>, text: string) {
    super(`${call.method} ${call.path} answered ${answer.status} and not ${expected}: ${text.slice(0, 500)}`);
    this.name = 'UnexpectedAnswerError';
  }
}

const PATIENCE = 20_000;

/** Speaks to the service as any client does: over HTTP and nothing else. */
export class ApiClient {
  constructor(private readonly url: string) {}

  /** @throws UnexpectedAnswerError where the status is not the expected one. */
  async call<T>(call: Call, expected = 200): Promise<Answer<T>> {
    const response = await fetch(`${this.url}${call.path}`, {
      method: call.method,
      headers: {
        ...(call.token === undefined ? {} : { authorization: `Bearer ${call.token}` }),
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...call.headers,
      },
      body: call.body === undefined ? undefined : JSON.stringify(call.body),
      signal: AbortSignal.timeout(PATIENCE),
    });
    const text = await response.text();
    const { message, data } = parsed<T>(text);
    const answer = { status: response.status, message, data, headers: response.headers };
    if (response.status !== expected) throw new UnexpectedAnswerError(call, expected, answer, text);
    return answer;
  }
}

function parsed<T>(text: string): { readonly message: string; readonly data: T } {
  try {
    return JSON.parse(text) as { message: string; data: T };
  } catch {
    return { message: text, data: undefined as T };
  }
}
