import { Injectable } from '@nestjs/common';
import { validationFailed } from '../../http/index.js';
import { LocationDirectory } from '../../locations/index.js';

interface LockRange {
  /** `true` for those alone that are on no unit. */
  readonly free: string | undefined;
  readonly cursor: string | undefined;
  readonly limit: number;
}

/** The locks of a location, all or those that are on no unit, of which a page reads no more than it tells. */
@Injectable()
export class LockLists {
  constructor(private readonly directory: LocationDirectory) {}

  /** @throws ApiError 422 for a filter that there is not, InvalidCursorError, StoreUnavailableError */
  async page(location_id: string, { free, cursor, limit }: LockRange) {
    if (free !== undefined && free !== 'true')
      throw validationFailed({ free: ['The selected free is invalid.'] });
    const range = { limit, cursor };
    const { documents, next_cursor } = await (free === undefined
      ? this.directory.locksOfLocationPage(location_id, range)
      : this.directory.freeLocks(location_id, range));
    return { shown: documents, next_cursor };
  }
}
