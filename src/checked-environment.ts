import { type Environment, EnvironmentError, inspectEnvironment } from './config/environment.js';
import type { EnvironmentFault, Variables } from './config/environment-values.js';

/**
 * The environment, checked with the addresses of its stores, which those who speak to them know: all faults are told at once.
 * @throws EnvironmentError
 */
export async function readCheckedEnvironment(variables: Variables): Promise<Environment> {
  const { environment, faults } = inspectEnvironment(variables);
  const all = [...faults, ...(await storeFaults(environment))];
  if (all.length > 0) throw new EnvironmentError(all);
  return environment;
}

/** Of addresses that are sound at first sight. The clients are loaded for no other. */
async function storeFaults(environment: Environment): Promise<readonly EnvironmentFault[]> {
  const { eventstore_url, eventstore_insecure_allowed, mongodb_url } = environment;
  const faults: EnvironmentFault[] = [];
  if (eventstore_url !== undefined) {
    const { connectionFaults } = await import('./log/eventstoredb/connection.js');
    faults.push(...connectionFaults(eventstore_url, eventstore_insecure_allowed));
  }
  if (mongodb_url !== undefined) {
    const { addressFaults } = await import('./documents/mongodb/mongodb-connection.js');
    faults.push(...addressFaults(mongodb_url));
  }
  return faults;
}
