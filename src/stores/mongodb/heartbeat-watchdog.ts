import type { MongoClient } from 'mongodb';

/** Milliseconds after the driver's own limit, after which a heartbeat counts as hanging. */
const graceMilliseconds = 2_000;
const retryMilliseconds = 1_000;

/**
 * Reconnects a client whose monitor hangs. The driver (7.8.0) can wait for ever for `drain` on a destroyed socket:
 * docs/upstream/mongodb-monitor-hangs.md. Calls in flight then fail as on a lost connection.
 * @returns a function that stops the watchdog
 */
export function watchHeartbeats(client: MongoClient): () => void {
  const timers = new Map<string, NodeJS.Timeout>();
  const { connectTimeoutMS, heartbeatFrequencyMS } = client.options;
  let isStopped = false;

  const end = (address: string): void => {
    clearTimeout(timers.get(address));
    timers.delete(address);
  };
  const later = (address: string, milliseconds: number, task: () => void): void => {
    end(address);
    if (!isStopped) timers.set(address, setTimeout(task, milliseconds).unref());
  };
  const reconnect = async (): Promise<void> => {
    try {
      await client.close();
      if (!isStopped) await client.connect();
    } catch {
      later('', retryMilliseconds, () => void reconnect());
    }
  };

  client.on('serverHeartbeatStarted', ({ connectionId: address, awaited }) => {
    const limit = connectTimeoutMS + (awaited ? heartbeatFrequencyMS : 0);
    // Two timers: after a suspension the process reads a waiting answer before the second timer ends.
    later(address, limit, () => later(address, graceMilliseconds, () => void reconnect()));
  });
  client.on('serverHeartbeatSucceeded', ({ connectionId }) => end(connectionId));
  client.on('serverHeartbeatFailed', ({ connectionId }) => end(connectionId));
  client.on('serverClosed', ({ address }) => end(address));
  return () => {
    isStopped = true;
    for (const address of timers.keys()) end(address);
  };
}
