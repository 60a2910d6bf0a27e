import { setImmediate } from 'node:timers/promises';
import {
  type Environment,
  EnvironmentError,
  type EnvironmentRules,
  inspectEnvironment,
} from '#kernel/environment/environment.js';
import { EnvironmentFault, type Variables } from '#kernel/environment/environment-values.js';
import { isGuessable } from '#kernel/password-strength.js';

/**
 * Reads the environment, and also checks the addresses of its stores.
 * @throws EnvironmentError with all faults at once
 */
export async function readCheckedEnvironment(
  variables: Variables,
  rules?: EnvironmentRules,
): Promise<Environment> {
  const { environment, faults } = inspectEnvironment(variables, rules);
  const all = [...faults, ...(await storeFaults(environment)), ...(await passwordFaults(environment))];
  if (all.length > 0) throw new EnvironmentError(all);
  return environment;
}

/** Only in production: a trial on one machine may have any password. */
async function passwordFaults({ production, operator }: Environment): Promise<readonly EnvironmentFault[]> {
  if (!production || operator === undefined) return [];
  if (!(await isGuessable(operator.password, [operator.email]))) return [];
  return [new EnvironmentFault('OPERATOR_PASSWORD', 'is common or easily guessed; choose another.')];
}

/** Loads the clients of servers only if an address is set. */
async function storeFaults(environment: Environment): Promise<readonly EnvironmentFault[]> {
  const { eventstore_url, eventstore_insecure_allowed, mongodb_url } = environment;
  const faults: EnvironmentFault[] = [];
  if (eventstore_url !== undefined) {
    const { connectionFaults } = await import('#stores/eventstoredb/connection.js');
    faults.push(...connectionFaults(eventstore_url, eventstore_insecure_allowed));
  }
  if (mongodb_url !== undefined) {
    const { addressFaults } = await import('#stores/mongodb/mongodb-connection.js');
    faults.push(...addressFaults(mongodb_url));
    // The driver imports `os`. Until that has ended, Node 20 cannot load packages like Nest's.
    await setImmediate();
  }
  return faults;
}
