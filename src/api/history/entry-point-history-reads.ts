import { Injectable } from '@nestjs/common';
import { EntryPointAsOf, EntryPointHistory } from '#domain/history/index.js';
import { type EntryPoint, LocationDirectory } from '#domain/locations/index.js';
import { errorOf } from '#kernel/errors/api-error.js';
import { parseTimestamp } from '#kernel/timestamp.js';
import { type EntryPointAsOfQuery, type HistoryQuery, rangeOf } from './history.dto.js';

const NOT_THEN = 'The location did not have the entry point at that instant. Its history says when it began.';

/** The history of an entry point, for operators. Also of one that was removed. */
@Injectable()
export class EntryPointHistoryReads {
  constructor(
    private readonly locations: LocationDirectory,
    private readonly histories: EntryPointHistory,
    private readonly instants: EntryPointAsOf,
  ) {}

  /** @throws ApiError 404, InvalidCursorError */
  async list(entry_point_id: string, query: HistoryQuery) {
    return this.histories.page(await this.#find(entry_point_id), rangeOf(query));
  }

  /** @throws ApiError 404, also if the location did not have it then; InvalidCursorError */
  async readAsOf(entry_point_id: string, { at, cursor }: EntryPointAsOfQuery) {
    const entry_point = await this.#find(entry_point_id);
    const then = await this.instants.readPage(entry_point, parseTimestamp(at)!, cursor);
    if (then === undefined) throw errorOf('entry_point_not_found', { hint: NOT_THEN });
    return then;
  }

  async #find(entry_point_id: string): Promise<EntryPoint> {
    const entry_point = await this.locations.entryPoint(entry_point_id);
    if (entry_point === undefined) throw errorOf('entry_point_not_found');
    return entry_point;
  }
}
