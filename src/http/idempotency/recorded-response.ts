import { errorBody, serviceUnavailable } from '../api-error.js';
import type { Response } from 'express';
import type { StoredAnswer } from './idempotency-record.js';
import type { Reservation } from './reservation.js';

/** Headers that belong to the answer itself; the others are made anew for each response. */
const KEPT_HEADERS = ['content-type', 'location', 'retry-after'];

/**
 * Makes the response wait until the reservation has its ending: whoever answers, handler or error filter, sends
 * through `response.send`, and what is sent has been kept by then.
 * @param failed is told where the answer could not be kept; the client gets 503 then, and its retry finds the work done.
 */
export function recordAnswer(
  response: Response,
  reservation: Reservation,
  failed: (error: unknown) => void,
): void {
  const send = response.send.bind(response);
  response.send = (body?: unknown) => {
    // `response.json` has made text of the body already; it is the only way by which these routes answer.
    const answer = answerOf(response, typeof body === 'string' ? body : '');
    keep(reservation, answer)
      .then((kept) => sendAnswer(response, kept, send))
      .catch((error: unknown) => {
        failed(error);
        response.setHeader('Retry-After', '1');
        sendAnswer(response, UNKEPT, send);
      });
    return response;
  };
}

const UNKEPT: StoredAnswer = {
  status: 503,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(errorBody(serviceUnavailable())),
};

/** Sends a stored answer as the response. */
export function sendAnswer(
  response: Response,
  answer: StoredAnswer,
  send = response.send.bind(response),
): void {
  response.status(answer.status);
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
  send(answer.body);
}

function answerOf(response: Response, body: string): StoredAnswer {
  const headers: Record<string, string> = {};
  for (const name of KEPT_HEADERS) {
    const value = response.getHeader(name);
    if (value !== undefined) headers[name] = String(value);
  }
  return { status: response.statusCode, headers, body };
}

/** What decisions §4 stores: every answer but 429 and 5xx, after which a retry must be free to execute. */
async function keep(reservation: Reservation, answer: StoredAnswer): Promise<StoredAnswer> {
  if (answer.status < 500 && answer.status !== 429) return reservation.answer(answer);
  await reservation.abandon();
  return answer;
}
