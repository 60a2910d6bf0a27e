import { collectDefaultMetrics, Registry } from 'prom-client';

let registry: Registry | undefined;

/**
 * What prom-client tells of the process itself: memory, CPU, garbage collection, delay of the event loop. Collected from the
 * first call on, once a process: its watchers cannot be stopped, and a service that nobody scrapes needs none.
 */
export function processMetrics(): Registry {
  if (registry === undefined) collectDefaultMetrics({ register: (registry = new Registry()) });
  return registry;
}
