/** Why a page could not be had, or a run not be ended; what operators match. */
export const PULL_FAULT_CODES = [
  'address_refused',
  'unreachable',
  'timeout',
  'cut_off',
  'http_status',
  'rate_limited',
  'redirect_refused',
  'too_large',
  'not_json',
  'document_invalid',
  'page_loop',
  'too_many_pages',
  'secret_unreadable',
  'run_too_long',
  'interrupted',
  'store_unavailable',
  'internal_error',
] as const;
export type PullFaultCode = (typeof PULL_FAULT_CODES)[number];

/** A fault as a run records it. Its message names no URL, no credential and nothing that the source sent. */
export class PullFault extends Error {
  constructor(
    readonly code: PullFaultCode,
    message: string,
    /** Whether the same request may succeed in a moment, and what the source asked for, in milliseconds. */
    readonly retry?: { readonly after?: number | undefined },
  ) {
    super(message);
    this.name = 'PullFault';
  }
}
