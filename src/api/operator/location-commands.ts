import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import { type StatedLocationCommand, WriteLocation } from '#domain/locations/index.js';
import { doneOf } from './facility.refusals.js';

/** Runs commands on locations for operators. A refusal is an ApiError 404, 409 or 422. */
@Injectable()
export class LocationCommands {
  constructor(private readonly commands: CommandBus) {}

  /** @returns what the command results in. A dry run stores nothing. */
  async write<const One extends StatedLocationCommand>(
    command: One,
    context: WriteContext,
    options: { readonly dryRun?: boolean } = {},
  ) {
    return doneOf(await this.commands.execute(new WriteLocation(command, context, options))).result;
  }
}
