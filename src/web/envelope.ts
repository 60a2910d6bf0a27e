/** The body of a successful answer without data (decisions §2). */
export interface Acknowledgement {
  readonly message: string;
}

export interface Envelope<T> extends Acknowledgement {
  readonly data: T;
}

export function envelope(): Acknowledgement;
export function envelope(data: undefined, message: string): Acknowledgement;
export function envelope<T>(data: T, message?: string): Envelope<T>;
export function envelope<T>(data?: T, message = 'Request successful.'): Acknowledgement | Envelope<T> {
  return data === undefined ? { message } : { message, data };
}
