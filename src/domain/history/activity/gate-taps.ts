import { Injectable } from '@nestjs/common';
import { type Deadline, Yielder } from '#kernel/yielder.js';
import type { EntryPoint } from '#domain/locations/index.js';
import { type ActivityReported, entryPointStream, happenedAt, ReportedStreams } from '#domain/locks/index.js';
import type { Logged } from '../core/unit-record.js';
import { ReportReader } from './report.reader.js';

export type GateTap = Logged<ActivityReported>['data'] & {
  readonly entry_point_id: string;
  /** Milliseconds. */
  readonly at: number;
};

/** The most reports of an entry point that are read. */
const MOST_READ = 2_000;

/** Reads the taps at entry points of some hours. Throws StoreUnavailableError, GivenUpError. */
@Injectable()
export class GateTaps {
  constructor(
    private readonly streams: ReportedStreams,
    private readonly reader: ReportReader,
  ) {}

  /**
   * Those that happened at a location since an instant (milliseconds), the newest first. Of an entry point the newest 2,000
   * reports are read.
   */
  async listSince(
    location_id: string,
    entryPoints: readonly Pick<EntryPoint, 'entry_point_id'>[],
    since: number,
    deadline?: Deadline,
  ): Promise<GateTap[]> {
    const streams = new Map(
      entryPoints.map(({ entry_point_id }) => [entryPointStream(entry_point_id), entry_point_id]),
    );
    const used = streams.size === 0 ? [] : await this.streams.findStreams(location_id, since - 1);
    const yielder = new Yielder(deadline);
    const taps: GateTap[] = [];
    for (const stream of used) {
      const entry_point_id = streams.get(stream);
      if (entry_point_id === undefined) continue;
      let read = 0;
      for await (const { data, instant } of this.reader.backwards(
        stream,
        await this.reader.newestBy(stream, Infinity),
      )) {
        if (instant < since || (read += 1) > MOST_READ) break;
        const at = happenedAt(data);
        if (at >= since) taps.push({ ...data, entry_point_id, at });
        await yielder.after(1);
      }
    }
    return taps.sort((one, other) => other.at - one.at);
  }
}
