import { collectDefaultMetrics, Registry } from 'prom-client';

let registry: Registry | undefined;

/**
 * prom-client's metrics of the process: memory, CPU, garbage collection, delay of the event loop. Made only once, because
 * their watchers cannot be stopped.
 */
export function processMetrics(): Registry {
  if (registry === undefined) collectDefaultMetrics({ register: (registry = new Registry()) });
  return registry;
}
