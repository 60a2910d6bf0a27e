import type { Clock } from '#kernel/clock.js';
import { systemIds } from '#kernel/ids.js';
import type { DocumentWrite } from '#eventsourcing/documents/document-store.js';
import { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import type { Kind } from '#eventsourcing/writing/aggregate.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import type { OpenStream, StreamKind, WriteClock } from '#eventsourcing/writing/command-run.js';
import { CommandRunner, type CommandRunnerPorts } from '#eventsourcing/writing/command-runner.js';
import { commitTogether } from '#eventsourcing/writing/commit.js';
import { OwnLogTail } from '#eventsourcing/writing/log-tail.js';
import type { Outcome } from '#eventsourcing/writing/command-run.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';

/** The runner of a process that has these stores for itself. */
export function commandRunnerOn(
  store: EventStore,
  clock: Clock,
  more: Partial<CommandRunnerPorts> = {},
): CommandRunner {
  const records = { write: () => Promise.reject(new Error('No records are written here.')) };
  return new CommandRunner({
    store,
    commit: commitTogether({ log: store, records }),
    clock,
    ids: systemIds,
    tail: new OwnLogTail(),
    damaged: new DamagedStreams(),
    ...more,
  });
}

/** A command on one stream, with the insert of the account that its events name. */
export interface Part<Command> {
  readonly stream: string;
  readonly command: Command;
  readonly account?: DocumentWrite | undefined;
}

/** Runs commands that need no preparation. */
export function runParts<K extends Kind>(
  runner: CommandRunner,
  kind: StreamKind<K>,
  parts: readonly Part<K['command']>[],
  context: WriteContext,
  { dryRun = false, clock = 'world' }: { dryRun?: boolean; clock?: WriteClock | 'world' } = {},
): Promise<readonly Outcome<K>[]> {
  const streams = parts.map(({ stream }) => stream);
  const prepare = (open: readonly OpenStream<K['state']>[]) => {
    return { clock, commands: open.map(({ index }) => parts[index]!) };
  };
  return runner.run({ ...kind, streams, prepare }, context, dryRun);
}
