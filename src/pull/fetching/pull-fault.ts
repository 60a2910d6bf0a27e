/** The reasons for which a page or a run fails. Programs may match them: add, never change. */
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

/** A fault as a run records it. Its message never contains a URL, a credential or values of the source. */
export class PullFault extends Error {
  constructor(
    readonly code: PullFaultCode,
    message: string,
    /** Given if the same request may succeed soon. `after`: milliseconds that the source asked to wait. */
    readonly retry?: { readonly after?: number | undefined },
  ) {
    super(message);
    this.name = 'PullFault';
  }
}
