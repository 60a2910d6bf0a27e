/** The body of a successful answer that has nothing to tell besides (decisions §2). */
export interface Acknowledgement {
  readonly message: string;
}

/** The body of a successful answer. */
export interface Envelope<T> extends Acknowledgement {
  readonly data: T;
}

/** What a route's handler tells. */
export type DataOf<Handler extends (...given: never[]) => Promise<Envelope<unknown>>> = Awaited<
  ReturnType<Handler>
>['data'];

/** Wraps an answer's data. Without data the member is left out. */
export function envelope(): Acknowledgement;
export function envelope(data: undefined, message: string): Acknowledgement;
export function envelope<T>(data: T, message?: string): Envelope<T>;
export function envelope<T>(data?: T, message = 'Request successful.'): Acknowledgement | Envelope<T> {
  return data === undefined ? { message } : { message, data };
}
