import { scenarioNamed, type Target } from '../scenarios.js';
import { runLoad } from './run-load.js';

/** The message that starts a measurement. */
export interface LoadJob {
  readonly scenario: string;
  readonly connections: number;
  readonly seconds: number;
  readonly target: Target;
}

/** The message with its result. */
export type LoadReport =
  | {
      readonly requests: number;
      readonly seconds: number;
      readonly milliseconds: readonly number[];
    }
  | { readonly error: string };

/** The number of requests of each scenario to each server. So no new unit gets a name twice. */
const made = new Map<string, number>();

async function measure({ scenario, connections, seconds, target }: LoadJob): Promise<LoadReport> {
  const { request, expected } = scenarioNamed(scenario);
  const counter = `${scenario} ${target.port}`;
  const next = () => {
    const count = made.get(counter) ?? 0;
    made.set(counter, count + 1);
    return request(count, target);
  };
  try {
    return await runLoad({ port: target.port, connections, seconds, expected, next });
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

process.on('message', (job: LoadJob) => void measure(job).then((report) => process.send?.(report)));
process.once('disconnect', () => process.exit(0));
