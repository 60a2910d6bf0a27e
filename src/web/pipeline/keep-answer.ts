import type { StoredAnswer } from './idempotency-record.js';
import { Answer, type HeaderValues } from './answer.js';
import type { Reservation } from './reservation.js';

/** Headers that are stored with an answer. The others are made for each response. */
const STORED_HEADERS = ['content-type', 'location', 'retry-after'];

/**
 * Stores the answer under the request's key: before it is sent, or a moment later if a retry would find the result in the
 * log meanwhile. Every answer is stored except 429 and 5xx, after which a retry must execute (decisions §4). Also not 401:
 * the caller lost its rights meanwhile, and another caller of the company may use the key.
 * @param secret the field of the data that is not stored: it is shown only once (decisions §6)
 * @returns the answer to send: that of another process, if it was first
 * @throws StoreUnavailableError; the client's retry finds the work in the log
 */
export async function keepAnswer(
  reservation: Reservation,
  answer: Answer,
  secret: string | undefined,
): Promise<Answer> {
  if (answer.status >= 500 || answer.status === 429 || answer.status === 401) {
    await reservation.abandon();
    return answer;
  }
  const lasting = withoutSecret(toStored(answer), secret);
  const stored = await reservation.answer(lasting);
  return stored === lasting ? answer : new Answer(stored.status, stored.headers, stored.body);
}

/** The answer that was stored under the request's key. */
export function replayOf({ status, headers, body }: StoredAnswer): Answer {
  return new Answer(status, { ...headers, 'Idempotency-Replayed': 'true' }, body);
}

/** Routes with keys answer only JSON, which is text here. */
function toStored({ status, headers, body }: Answer): StoredAnswer {
  return { status, headers: lastingOf(headers), body: typeof body === 'string' ? body : '' };
}

function lastingOf(headers: HeaderValues): Record<string, string> {
  const all = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(all.filter(([name]) => STORED_HEADERS.includes(name)));
}

function withoutSecret(answer: StoredAnswer, secret: string | undefined): StoredAnswer {
  if (secret === undefined || answer.status >= 300) return answer;
  const { message, data } = JSON.parse(answer.body) as {
    readonly message: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
  if (data[secret] === null) return answer;
  const note = `${message} The ${secret} was only in the first answer.`;
  return { ...answer, body: JSON.stringify({ message: note, data: { ...data, [secret]: null } }) };
}
