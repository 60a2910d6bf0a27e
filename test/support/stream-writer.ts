import type { Clock } from '../../src/config/clock.js';
import { systemIds } from '../../src/config/ids.js';
import type { EventStore } from '../../src/log/event-store.js';
import { ProjectionsInFlight } from '../../src/writing/projections-in-flight.js';
import { StreamWriter, type StreamWriterPorts } from '../../src/writing/stream-writer.js';
import { ViewsGate } from '../../src/writing/views-gate.js';

/** The writer of a process that has these stores for itself. */
export function streamWriterOn(
  store: EventStore,
  clock: Clock,
  more: Partial<StreamWriterPorts> = {},
): StreamWriter {
  const inFlight = new ProjectionsInFlight(clock);
  const gate = new ViewsGate();
  const records = { write: () => Promise.reject(new Error('No records are written here.')) };
  return new StreamWriter({
    store,
    records,
    clock,
    ids: systemIds,
    inFlight,
    gate,
    singleProcess: true,
    commitsTogether: true,
    ...more,
  });
}
