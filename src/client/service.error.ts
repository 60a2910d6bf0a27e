import type { BulkResult, FieldFault, ServiceErrorBody } from './routes.js';

/** A code of the service, or one of what never came from it. */
export type ErrorCode =
  | ServiceErrorBody['code']
  /** No answer came, or only a part of one: whether the service did what was asked is unknown. */
  | 'no_answer'
  /** Something else than the service answered: a proxy, or another program. */
  | 'not_the_service';

export interface ServiceErrorDetails {
  readonly status: number | null;
  readonly code: ErrorCode;
  readonly message: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  readonly details?: readonly FieldFault[];
  /** To be named in a report of a fault. */
  readonly hint?: string | null;
  readonly request_id?: string | null;
  readonly retry_after?: number | null;
  readonly synced?: BulkResult | null;
}

/** Every failure of a call. It never holds a credential, nor what was sent. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  /** Status of the answer. Null if none came. */
  readonly status: number | null;
  /** Match this, never `message`. */
  readonly code: ErrorCode;
  /** What to do about it, if the service says so. */
  readonly hint: string | null;
  /** Messages by the path of the field; of a bulk by the entry's place in the whole. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** The same faults, each with a code: `taken`, `required`, … */
  readonly details: readonly FieldFault[];
  readonly request_id: string | null;
  /** Seconds after which the service asks to be asked again. */
  readonly retry_after: number | null;
  /** For a bulk: the result of the parts before this one. Null if it was the first. */
  readonly synced: BulkResult | null;

  constructor({ message, status, code, ...told }: ServiceErrorDetails) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = told.hint ?? null;
    this.errors = told.errors ?? {};
    this.details = told.details ?? [];
    this.request_id = told.request_id ?? null;
    this.retry_after = told.retry_after ?? null;
    this.synced = told.synced ?? null;
  }
}

export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof ServiceError;
}
