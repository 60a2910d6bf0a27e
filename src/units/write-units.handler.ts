import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Prepare } from '../writing/stream-writer.js';
import { STREAM_WRITER, type StreamWriter } from '../writing/stream-writer.js';
import type { UnitRefusal, UnitResult } from './core/unit.commands.js';
import { decide } from './core/unit.decide.js';
import type { UnitEvent } from './core/unit.events.js';
import type { UnitState } from './core/unit.state.js';
import { UnitStreams } from './unit.streams.js';
import { type UnitOutcome, WriteUnits } from './write-units.command.js';

@CommandHandler(WriteUnits)
export class WriteUnitsHandler implements ICommandHandler<WriteUnits> {
  constructor(
    @Inject(STREAM_WRITER) private readonly writer: StreamWriter,
    private readonly kind: UnitStreams,
  ) {}

  async execute({ streams, prepare, context, dryRun }: WriteUnits): Promise<UnitOutcome[]> {
    const places = new Map(streams.map((stream, place) => [stream, place]));
    const prepareStreams: Prepare<UnitState, UnitEvent, UnitResult, UnitRefusal> = async (
      snapshots,
      some,
      recovered,
    ) => {
      const commands = await prepare(
        snapshots,
        some.map((stream) => places.get(stream)!),
        recovered,
      );
      return commands.map((command) => (snapshot, now) => decide(snapshot?.state, command, now));
    };
    return dryRun
      ? this.writer.preview(this.kind, streams, prepareStreams)
      : this.writer.write(this.kind, streams, prepareStreams, context);
  }
}
