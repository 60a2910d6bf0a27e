/** The body of a successful answer (decisions §2). */
export interface Envelope<T> {
  readonly message: string;
  readonly data?: T;
}

/** Wraps an answer's data. Without data the member is left out. */
export function envelope(): Envelope<never>;
export function envelope(data: undefined, message: string): Envelope<never>;
export function envelope<T>(data: T, message?: string): Envelope<T>;
export function envelope<T>(data?: T, message = 'Request successful.'): Envelope<T> {
  return data === undefined ? { message } : { message, data };
}
