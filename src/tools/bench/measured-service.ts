import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChildServer, startChildServer } from './child-server.js';
import type { Target } from './scenarios.js';
import { OPERATOR, setUpService } from './service-setup.js';

/** A service that is being measured, on a temporary folder of its own. */
export interface MeasuredService {
  readonly label: string;
  readonly server: ChildServer;
  readonly target: Target;
  /** Ends the process and removes its folder. */
  stop(): Promise<void>;
}

/** Starts a build of the service with its limits out of the way, and prepares it. */
export async function startMeasuredService(
  label: string,
  script: string,
  profile: string | undefined,
): Promise<MeasuredService> {
  const folder = await mkdtemp(join(tmpdir(), 'storage-access-bench-'));
  const nodeArguments = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  let server: ChildServer | undefined;
  const stop = async (): Promise<void> => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    server = await startChildServer({ script, environment: environmentOf(folder), nodeArguments });
    return { label, server, target: await setUpService(server.port, folder), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function environmentOf(folder: string): Record<string, string> {
  return {
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: folder,
    OPERATOR_EMAIL: OPERATOR.email,
    OPERATOR_PASSWORD: OPERATOR.password,
    RATE_LIMIT_PMS_WRITES: '1000000',
    RATE_LIMIT_PMS_BULK: '1000000',
    LOG_LEVEL: 'warn',
  };
}
