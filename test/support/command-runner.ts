import type { Clock } from '../../src/config/clock.js';
import { systemIds } from '../../src/config/ids.js';
import type { DocumentWrite } from '../../src/documents/document-store.js';
import type { DomainEvent } from '../../src/log/domain-event.js';
import type { EventStore } from '../../src/log/event-store.js';
import type { OpenStream, StreamKind, WriteClock } from '../../src/writing/command-run.js';
import { CommandRunner, type CommandRunnerPorts, commitTogether } from '../../src/writing/command-runner.js';
import { LogTail } from '../../src/writing/log-tail.js';
import type { Outcome } from '../../src/writing/command-run.js';
import type { WriteContext } from '../../src/writing/write-context.js';

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
    tail: new LogTail(store, clock),
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
export function runParts<State, Event extends DomainEvent, Command, Result, Refusal>(
  runner: CommandRunner,
  kind: StreamKind<State, Event, Command, Result, Refusal>,
  parts: readonly Part<Command>[],
  context: WriteContext,
  { dryRun = false, clock = 'world' }: { dryRun?: boolean; clock?: WriteClock | 'world' } = {},
): Promise<readonly Outcome<State, Result, Refusal>[]> {
  const streams = parts.map(({ stream }) => stream);
  const prepare = (open: readonly OpenStream<State>[]) => {
    return { clock, commands: open.map(({ index }) => parts[index]!) };
  };
  return runner.run({ ...kind, streams, prepare }, context, dryRun);
}
