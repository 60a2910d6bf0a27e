import { Command } from '@nestjs/cqrs';
import type { WriteContext } from '../writing/write-context.js';
import type { Outcome } from '../writing/outcome.js';
import type { CompanyCommand, CompanyRefusal, CompanyResults } from './core/company.commands.js';
import type { CompanyState } from './core/company.state.js';

/** The outcome of a command on a company. Every view shows it by then. */
export type CompanyOutcome<Result> = Outcome<CompanyState, Result, CompanyRefusal>;

/** The bus's envelope of a command on a company. */
export class WriteCompanyCommand<One extends CompanyCommand = CompanyCommand> extends Command<
  CompanyOutcome<CompanyResults[One['type']]>
> {
  constructor(
    readonly company_id: string,
    readonly command: One,
    readonly context: WriteContext,
  ) {
    super();
  }
}
