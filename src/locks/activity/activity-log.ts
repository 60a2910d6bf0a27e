import { Injectable } from '@nestjs/common';
import type { WriteContext } from '../../writing/write-context.js';
import { ActivityAppender } from './activity-appender.js';
import { ActivityMessages } from './activity-messages.js';
import type { ActivityReported } from '../core/activity.events.js';
import { type LogReservation, LogReservations } from './log-reservations.js';

/** A log entry as the app is told of it. */
export interface LogEntry {
  readonly log_id: string;
  /** Milliseconds. */
  readonly recorded_at: number;
}

/** Stores what apps report about locks and entry points, each report once (decisions on logs: docs/decisions.md). */
@Injectable()
export class ActivityLog {
  constructor(
    private readonly reservations: LogReservations,
    private readonly messages: ActivityMessages,
    private readonly appender: ActivityAppender,
  ) {}

  /**
   * Stores a report and its text. With a `client_log_id` that the tenant has used at this lock before, answers the
   * first report's entry and makes sure that it is in the log.
   * @throws StoreUnavailableError, EventTooLargeError, WriteContendedError
   */
  async store(event: ActivityReported, text: string | undefined, context: WriteContext): Promise<LogEntry> {
    if (event.data.client_log_hash === null) {
      await this.keepText(event, text);
      await this.appender.append(event, undefined, context);
      return entryOf(event);
    }
    const head = await this.appender.knownHead(event);
    return this.finish(await this.reservations.reserve(event, head), text, context);
  }

  /**
   * Of a report that would be refused by now: the entry of the first that the tenant has sent under its `client_log_id`,
   * undefined where there is none.
   * @throws StoreUnavailableError, EventTooLargeError, WriteContendedError
   */
  async repeat(
    event: ActivityReported,
    text: string | undefined,
    context: WriteContext,
  ): Promise<LogEntry | undefined> {
    const first = event.data.client_log_hash === null ? undefined : await this.reservations.find(event);
    return first && this.finish(first, text, context);
  }

  private async finish(
    { event, head }: LogReservation,
    text: string | undefined,
    context: WriteContext,
  ): Promise<LogEntry> {
    await this.keepText(event, text);
    await this.appender.append(event, head, context);
    return entryOf(event);
  }

  private async keepText({ data }: ActivityReported, text: string | undefined): Promise<void> {
    if (text !== undefined) await this.messages.keep(data.log_id, data.tenant_id, text);
  }
}

function entryOf({ data: { log_id, recorded_at } }: ActivityReported): LogEntry {
  return { log_id, recorded_at };
}
