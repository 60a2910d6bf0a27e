import { Query } from '@nestjs/cqrs';
import type { DescribedUnit } from './unit-access.js';

/**
 * A unit of a company as it is at this instant, by what a path names it with; undefined where there is none.
 * @throws StoreUnavailableError
 */
export class ReadUnit extends Query<DescribedUnit | undefined> {
  constructor(
    readonly company_id: string,
    /** Its `crm_unit_id`, or `ulid:` and its own id. */
    readonly key: string,
  ) {
    super();
  }
}
