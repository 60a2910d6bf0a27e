import type { BulkResult, FieldFault, ServiceErrorBody } from './routes.js';

export type ErrorCode =
  | ServiceErrorBody['code']
  /** No complete answer came. The service may or may not have done its work. */
  | 'no_answer'
  /** A proxy or another program answered. */
  | 'not_the_service';

export interface ServiceErrorDetails {
  readonly status: number | null;
  readonly code: ErrorCode;
  readonly message: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  readonly details?: readonly FieldFault[];
  /** Name it when you report a fault. */
  readonly hint?: string | null;
  readonly request_id?: string | null;
  readonly retry_after?: number | null;
  readonly synced?: BulkResult | null;
}

/** Every failure of a call. It contains neither a credential nor the sent data. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  /** Status of the answer. Null if none came. */
  readonly status: number | null;
  /** Match this, never `message`. */
  readonly code: ErrorCode;
  /** Advice for the caller, if the service gives it. */
  readonly hint: string | null;
  /** Messages by the path of the field; for a bulk, paths count entries of the whole bulk. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** The same faults, each with a code: `taken`, `required`, … */
  readonly details: readonly FieldFault[];
  readonly request_id: string | null;
  /** The service asks to wait this many seconds. */
  readonly retry_after: number | null;
  /** For a bulk: the results of the earlier requests. Null if this was the first. */
  readonly synced: BulkResult | null;

  constructor({ message, status, code, ...optional }: ServiceErrorDetails) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = optional.hint ?? null;
    this.errors = optional.errors ?? {};
    this.details = optional.details ?? [];
    this.request_id = optional.request_id ?? null;
    this.retry_after = optional.retry_after ?? null;
    this.synced = optional.synced ?? null;
  }
}

export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof ServiceError;
}
