import type { Response } from 'express';
import { contextOf } from '../request-context.js';
import type { Answer } from './answer.js';

/** Sends an answer, with the headers that were added on its way. */
export function sendAnswer(response: Response, { status, headers, body }: Answer): void {
  contextOf(response.req)?.headers.addTo(response);
  response.status(status);
  for (const [name, value] of Object.entries(headers))
    if (name === 'Vary') response.vary(value);
    else response.setHeader(name, value);
  // Without a type, Express would send bytes as a download.
  if (Buffer.isBuffer(body) && !response.hasHeader('Content-Type')) response.type('html');
  response.send(body);
}
