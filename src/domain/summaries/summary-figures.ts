import type { CompanyDocument } from '#domain/companies/index.js';
import type { OperatorPrincipal } from '#kernel/principals.js';
import type { Deadline } from '#kernel/yielder.js';
import type { DayFigures } from './core/day-figures.js';

/** Reads the figures of Today. Implemented by the operator API. */
export abstract class SummaryFigures {
  /** As far as the operator sees the company. @throws StoreUnavailableError @throws GivenUpError */
  abstract readFigures(
    company: CompanyDocument,
    operator: OperatorPrincipal,
    deadline: Deadline,
  ): Promise<DayFigures>;
}
