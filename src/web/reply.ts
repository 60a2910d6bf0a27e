import type { HeaderValues } from './pipeline/answer.js';

interface Head {
  /** That of the route, if absent. */
  readonly status?: number;
  readonly headers?: HeaderValues;
}

/** What a handler returns if its answer has a status or headers of its own. A text or bytes are sent as they are. */
export class Reply<Body = unknown> {
  readonly status: number | undefined;
  readonly headers: HeaderValues;

  constructor(
    readonly body: Body,
    { status, headers = {} }: Head = {},
  ) {
    this.status = status;
    this.headers = headers;
  }
}
