import { type ApiError, errorBody } from '#kernel/errors/api-error.js';

export type AnswerBody = string | Buffer | undefined;
export type HeaderValues = Readonly<Record<string, string>>;

/** A whole answer, before it is sent. `headers` are those beside the common ones of all answers. */
export class Answer {
  constructor(
    readonly status: number,
    readonly headers: HeaderValues,
    readonly body: AnswerBody,
  ) {}
}

export const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };
/** No answer of an error may be kept by a cache, whatever the route says of its own. */
export function errorHeaders({ headers = {} }: ApiError): HeaderValues {
  return { 'Cache-Control': 'no-store', ...headers };
}

export function errorAnswer(error: ApiError): Answer {
  const headers = { ...JSON_TYPE, ...errorHeaders(error) };
  return new Answer(error.status, headers, JSON.stringify(errorBody(error)));
}
