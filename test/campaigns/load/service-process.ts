import { join } from 'node:path';
import { type ChildServer, startChildServer } from '../../../tools/bench/child-server.js';
import { serviceEnvironment } from '../../../tools/bench/measured-service.js';
import { OPERATOR } from '../../../tools/bench/service-setup.js';
import { compiledService } from '../../support/compiled-service.js';

/** Figures that the measured process reports once a second. */
export interface LoopSample {
  /** Milliseconds by which the event loop was late. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** Bytes. */
  readonly rss: number;
  /** Resident without the pages of mapped files; all of it where the system does not tell. */
  readonly own: number;
  readonly heap: number;
}

/** The real process, on a folder that outlives it. */
export interface ServiceProcess extends ChildServer {
  readonly samples: readonly LoopSample[];
  /** Lines that it logged, warnings and worse. */
  readonly logged: readonly string[];
}

export async function startService(folder: string): Promise<ServiceProcess> {
  const samples: LoopSample[] = [];
  const logged: string[] = [];
  const server = await startChildServer({
    script: join((await compiledService()).dist, 'main.js'),
    nodeArguments: ['-r', join(__dirname, 'loop-delay.cjs')],
    environment: serviceEnvironment(folder, OPERATOR),
    onLine(line, stream) {
      if (line.startsWith('LOOP ')) samples.push(JSON.parse(line.slice(5)) as LoopSample);
      // The service logs JSON lines; what it announces at its start is text.
      else if (stream === 'stderr' || line.startsWith('{')) logged.push(line);
    },
  });
  return { ...server, samples, logged };
}
