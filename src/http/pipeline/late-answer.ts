import type { Response } from 'express';
import { type ApiError, errorBody, serviceUnavailable } from '../api-error.js';

/** The 503 of a page, which is not JSON. */
export interface LateAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Answers 503 at the deadline. A later answer is stored for a retry, but not sent. */
export function answerLate(response: Response, late = lateAnswer): void {
  if (response.headersSent) return;
  const error = serviceUnavailable();
  const { headers, body } = late(error);
  response.writeHead(error.status, {
    ...error.headers,
    ...headers,
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
  ignoreFurtherAnswers(response);
}

function lateAnswer(error: ApiError): LateAnswer {
  const headers = { 'Content-Type': 'application/json; charset=utf-8' };
  return { headers, body: JSON.stringify(errorBody(error)) };
}

/** Lets the handler continue on an ended response, so that its answer can be stored. */
function ignoreFurtherAnswers(response: Response): void {
  const headers = new Map<string, unknown>();
  const nothing = () => response;
  // After the listeners that record the result of the request.
  response.once('close', () => {
    Object.defineProperty(response, 'headersSent', { value: false });
    response.statusCode = 200;
  });
  Object.defineProperties(
    response,
    Object.getOwnPropertyDescriptors({
      setHeader: (name: string, value: unknown) => {
        headers.set(name.toLowerCase(), value);
        return response;
      },
      getHeader: (name: string) => headers.get(name.toLowerCase()),
      hasHeader: (name: string) => headers.has(name.toLowerCase()),
      removeHeader: (name: string) => void headers.delete(name.toLowerCase()),
      writeHead: nothing,
      write: () => true,
      end: nothing,
      destroy: nothing,
    }),
  );
}
