import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../config/clock.js';
import { CLOCK } from '../../config/ports.js';
import type { WriteContext } from '../../eventing/stream-kind.js';
import { ActivityAppender } from './activity-appender.js';
import { ActivityMessages } from './activity-messages.js';
import type { ActivityReported } from '../core/activity.events.js';
import { LogReservations } from './log-reservations.js';

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
    @Inject(CLOCK) private readonly clock: Clock,
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
    const recorded_at = this.clock.now();
    const { client_log_id } = event.data;
    if (client_log_id === null) {
      await this.keepText(event, text);
      await this.appender.append(event, undefined, context);
      return { log_id: event.data.log_id, recorded_at };
    }
    const head = await this.appender.knownHead(event);
    const first = await this.reservations.reserve(client_log_id, event, recorded_at, head);
    await this.keepText(first.event, text);
    await this.appender.append(first.event, first.head, context);
    return { log_id: first.log_id, recorded_at: first.recorded_at };
  }

  private async keepText({ data }: ActivityReported, text: string | undefined): Promise<void> {
    if (text !== undefined) await this.messages.keep(data.log_id, data.tenant_id, text);
  }
}
