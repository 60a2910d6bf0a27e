import { Inject, Injectable } from '@nestjs/common';
import type { EventStore, JsonObject, RecordedEvent } from '#eventsourcing/log/event-store.js';
import { EVENT_STORE } from '#kernel/injection-tokens.js';
import { toTimestamp } from '#kernel/timestamp.js';
import { presentData } from '../core/feed.js';
import { isOfSettings, settingBefore } from '../core/settings-before.js';

const PAGE_SIZE = 500;
/** A location whose equipment was added meanwhile has more. Then it is not told what a setting was. */
const MOST_READ_OF_LOCATION = 2_000;

/** What a change of a setting replaced: the fields of the event's `data`, as the API shows them. */
export interface ReplacedSetting {
  readonly before: JsonObject;
}

/** Reads what settings of locations were. Throws StoreUnavailableError. */
@Injectable()
export class SettingsLog {
  constructor(@Inject(EVENT_STORE) private readonly log: Pick<EventStore, 'readStream'>) {}

  /** By the event's position. Without events that change no setting. */
  async findReplaced(events: readonly RecordedEvent[]): Promise<ReadonlyMap<string, ReplacedSetting>> {
    const changes = events.filter(isOfSettings);
    const streams = [...new Set(changes.map(({ stream }) => stream))];
    const found = await Promise.all(
      streams.map((stream) =>
        this.#ofLocation(
          stream,
          changes.filter((one) => one.stream === stream),
        ),
      ),
    );
    return new Map(found.flat());
  }

  async #ofLocation(
    stream: string,
    changes: readonly RecordedEvent[],
  ): Promise<(readonly [string, ReplacedSetting])[]> {
    const older: RecordedEvent[] = [];
    let from = Math.max(...changes.map(({ revision }) => revision)) - 1;
    while (from >= 0 && older.length < MOST_READ_OF_LOCATION && !areAllKnown(changes, older)) {
      const page = await this.log.readStream(stream, { backwards: true, from, limit: PAGE_SIZE });
      if (page.length === 0) break;
      older.push(...page);
      from = page.at(-1)!.revision - 1;
    }
    return changes.flatMap((change) => {
      const before = settingBefore(change, older);
      if (before === undefined) return [];
      return [[String(change.position), { before: presentData(before, toTimestamp) }] as const];
    });
  }
}

function areAllKnown(changes: readonly RecordedEvent[], older: readonly RecordedEvent[]): boolean {
  return changes.every((change) => settingBefore(change, older) !== undefined);
}
