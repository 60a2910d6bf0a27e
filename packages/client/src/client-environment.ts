import type { WebRequest, WebResponse, WebSignal } from './web.js';

/** The functions of the system that the client uses. Tests replace them. Times are milliseconds. */
export interface ClientEnvironment {
  readonly fetch: (
    request: WebRequest,
    init?: { readonly signal: WebSignal; readonly redirect: 'manual' },
  ) => Promise<WebResponse>;
  readonly now: () => number;
  /** Rejects with the signal's reason as soon as the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: WebSignal) => Promise<void>;
  /** In [0, 1). */
  readonly random: () => number;
  /** A fresh idempotency key. */
  readonly newKey: () => string;
  /** A signal that is aborted after this time. */
  readonly timeout: (milliseconds: number) => WebSignal;
}

export const SYSTEM_ENVIRONMENT: ClientEnvironment = {
  fetch: (request, init) => globalThis.fetch(request, init),
  now: () => Date.now(),
  sleep: pause,
  random: () => Math.random(),
  newKey: () => globalThis.crypto.randomUUID(),
  timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
};

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const ended = () => {
      clearTimeout(timer);
      reject(abortReason(signal));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', ended);
      resolve();
    }, milliseconds);
    if (signal.aborted) ended();
    else signal.addEventListener('abort', ended, { once: true });
  });
}

/** The caller's reason for the abort. */
export function abortReason({ reason }: WebSignal): Error {
  return reason instanceof Error ? reason : new Error('The call was given up.');
}
