import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { CalledFunction } from './request-path.js';

/** The order in which one request enters these files. @param send sends the request and waits for its answer */
export async function filesInOrder(
  functions: readonly CalledFunction[],
  send: () => Promise<void>,
): Promise<string[]> {
  const worker = new Worker(join(__dirname, 'first-calls.cjs'), { workerData: functions });
  await nextMessage(worker);
  await send();
  worker.postMessage('done');
  const entered = await nextMessage<string[]>(worker);
  await worker.terminate();
  return [...new Set([...entered, ...functions.map(({ file }) => file)])];
}

function nextMessage<Message>(worker: Worker): Promise<Message> {
  return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
}
