// This import comes first, because the others take a second to load.
import { releaseEarlySignals } from '#app/early-signals.js';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { createApplication, type StartedApplication } from '#app/application.js';
import { readCheckedEnvironment } from '#app/checked-environment.js';
import { listeningLine, signInLine } from '#kernel/announcement.js';
import { type Environment, EnvironmentError, isOnServers } from '#kernel/environment/environment.js';
import { keepProcessAlive } from '#kernel/keep-process-alive.js';
import { SERVICE_VERSION } from '#kernel/service-version.js';
import { drainOnSignals } from '#web/server-lifecycle.js';
import { openPorts, type Ports } from '#app/adapters.js';

/** Logs the start. On a terminal, prints the addresses of API and dashboard, and how to sign in. */
function announce({ environment, logger }: Ports, { application, operator }: StartedApplication): void {
  const { port } = (application.getHttpServer() as Server).address() as AddressInfo;
  const { data_dir, production } = environment;
  const stores = isOnServers(environment) ? 'EventStoreDB and MongoDB' : data_dir;
  const started = { security: 'started', port, version: SERVICE_VERSION, production, stores };
  if (process.stdout.isTTY) {
    const base = `http://localhost:${port}`;
    const lines = [
      listeningLine('Storage Access Service', port),
      `  API        ${base}/api/v2          health ${base}/health`,
      `  Operators  ${base}/dashboard        and ${base}/api/operator for programs`,
      `  Next       open ${base}/dashboard and sign in; the API is shown at ${base}/docs, first steps in README.md`,
      `  Stores     ${stores}`,
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
  } else logger.info(started, listeningLine('The service', port));
  const { email, password } = operator;
  // The password is printed and never logged, because many people read logs.
  if (password !== undefined) process.stdout.write(`${signInLine(port, { email, password })}\n`);
}

/** On servers, several processes with different secrets would issue keys that locks refuse. */
function warnOfSeparateSecrets({ key_master_secret }: Environment, { embedded, logger }: Ports): void {
  if (embedded || key_master_secret !== undefined) return;
  logger.warn({}, 'KEY_MASTER_SECRET is not set. Give every process on these servers the same one.');
}

let isEnding = (): boolean => false;

async function start(): Promise<void> {
  const environment = await readCheckedEnvironment(process.env);
  const ports = await openPorts(environment);
  const started = await createApplication(ports, environment, (application) => {
    isEnding = drainOnSignals(application);
    releaseEarlySignals();
  });
  warnOfSeparateSecrets(environment, ports);
  announce(ports, started);
}

keepProcessAlive(start).catch((error: unknown) => {
  // The drain ends the process itself.
  if (isEnding()) return;
  process.stderr.write(`The service did not start: ${causeOf(error)}\n`);
  process.exit(1);
});

/** One line for a cause that an operator can remove. A stack for a fault of the service. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'EADDRINUSE' && 'port' in error)
    return `port ${String(error.port)} is in use by another program. Set PORT to a free port, or stop that program.`;
  const isExpected = error instanceof EnvironmentError || 'code' in error;
  return isExpected ? error.message : (error.stack ?? error.message);
}
