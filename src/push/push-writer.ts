import type { ApiTokenPrincipal, RequestContext } from '../http/index.js';
import type { Writer } from '../units/index.js';

/** The request of an integrator's server. */
export type PushContext = RequestContext<ApiTokenPrincipal>;

/** Whoever pushes writes the units of its company that push owns. */
export function pushWriter({ principal }: PushContext): Writer {
  return { company_id: principal.company_id, source: 'push' };
}
