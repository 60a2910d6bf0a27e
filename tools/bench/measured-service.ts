import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type ChildServer, startChildServer } from './child-server.js';
import type { Contestant } from './contestant.js';
import { OPERATOR, setUpService } from './service-setup.js';

/** A build of the service. */
export interface Build {
  readonly label: string;
  /** The path of its `main.js`. */
  readonly script: string;
  readonly nodeArguments: readonly string[];
  /** Environment variables of stores on servers. Empty: embedded stores. */
  readonly servers: Readonly<Record<string, string>>;
}

/** A running build with a temporary folder. */
export interface MeasuredService extends Contestant {
  readonly build: Build;
  readonly folder: string;
  readonly server: ChildServer;
}

export function buildEnvironment({ servers }: Build, folder: string): Record<string, string> {
  return { ...serviceEnvironment(folder, OPERATOR), ...servers };
}

/** The parameters of Node that run a command of the build. */
export function buildCommand({ script, nodeArguments }: Build, ...words: readonly string[]): string[] {
  return [...nodeArguments, join(dirname(script), 'cli.js'), ...words];
}

export function startService(build: Build, folder: string): Promise<ChildServer> {
  const { script, nodeArguments } = build;
  return startChildServer({ script, nodeArguments, environment: buildEnvironment(build, folder) });
}

/** Starts a build of the service and prepares it. @param units the number of units; absent: the usual one */
export async function startMeasuredService(build: Build, units?: number): Promise<MeasuredService> {
  const folder = await mkdtemp(join(tmpdir(), 'storage-access-bench-'));
  let server: ChildServer | undefined;
  const stop = async (): Promise<void> => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    server = await startService(build, folder);
    const target = await setUpService(server.port, folder, units);
    return { label: build.label, build, folder, server, target, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The environment of a service for measurements: any free port, no access log, and very high rate limits. */
export function serviceEnvironment(
  folder: string,
  operator: { readonly email: string; readonly password: string },
): Record<string, string> {
  return {
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: folder,
    OPERATOR_EMAIL: operator.email,
    OPERATOR_PASSWORD: operator.password,
    RATE_LIMIT_PMS_WRITES: '1000000',
    RATE_LIMIT_PMS_BULK: '1000000',
    RATE_LIMIT_READS: '1000000',
    RATE_LIMIT_OPERATORS: '1000000',
    RATE_LIMIT_TENANT_READS: '1000000',
    LOG_LEVEL: 'info',
    ACCESS_LOG: 'false',
  };
}
