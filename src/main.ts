import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { createApplication, type StartedApplication } from './application.js';
import { type Environment, EnvironmentError, readEnvironment } from './config/environment.js';
import { heldProcess } from './config/held-process.js';
import { drainOnSignals } from './http/index.js';
import { openPorts, type Ports } from './adapters.js';
import { RebuildRequests } from './projecting/rebuild/index.js';

/** What a newcomer needs to go on: where the API is and how the first operator signs in. */
function announce(environment: Environment, { application, operator }: StartedApplication): void {
  const { port } = (application.getHttpServer() as Server).address() as AddressInfo;
  const base = `http://localhost:${port}`;
  const lines = [
    `Storage Access Service is listening on port ${port}.`,
    `  API        ${base}/api/v2          health ${base}/health`,
    `  Operators  ${base}/api/operator    sign in with POST /api/operator/sessions as ${operator.email}`,
    `  Stores     events in ${environment.eventstore_url === undefined ? environment.data_dir : 'EventStoreDB'}, documents in ${environment.mongodb_url === undefined ? environment.data_dir : 'MongoDB'}`,
  ];
  if (operator.password !== undefined) {
    lines.push(`  The first operator's password, shown only now: ${operator.password}`);
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** On servers several processes may work at once, and each would issue keys that the others' locks refuse. */
function warnOfSecretsApart({ key_master_secret }: Environment, { idempotency, logger }: Ports): void {
  if (idempotency.singleProcess || key_master_secret !== undefined) return;
  logger.warn({}, 'KEY_MASTER_SECRET is not set: every process on these servers must be given the same one.');
}

/** Where the views are this process's own: on servers a rebuild is no single process's business. */
async function takeRebuildRequests({ application }: StartedApplication, ports: Ports): Promise<void> {
  if (ports.viewsReplacement === undefined) return;
  const requests = application.get(RebuildRequests, { strict: false });
  await requests.listen(ports.environment.data_dir);
}

async function start(): Promise<void> {
  const environment = readEnvironment(process.env);
  const ports = await openPorts(environment);
  const started = await createApplication(ports, environment, (application) => drainOnSignals(application));
  await takeRebuildRequests(started, ports);
  warnOfSecretsApart(environment, ports);
  announce(environment, started);
}

heldProcess(start).catch((error: unknown) => {
  const expected = error instanceof EnvironmentError || (error instanceof Error && 'code' in error);
  const text = expected
    ? error.message
    : error instanceof Error
      ? (error.stack ?? error.message)
      : String(error);
  process.stderr.write(`The service did not start: ${text}\n`);
  process.exit(1);
});
