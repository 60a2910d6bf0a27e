import { Injectable } from '@nestjs/common';
import { isPossibleId } from '../http/possible-id.js';
import { CommandRunner } from '../writing/command-runner.js';
import type { Outcome as OutcomeOf } from '../writing/command-run.js';
import type { WriteContext } from '../writing/write-context.js';
import { COMPANY } from './company.aggregate.js';
import { CompanyProjector } from './company.projector.js';
import type {
  CompanyCommand,
  CompanyRefusal,
  CompanyResults,
  CompanyCommandFields,
} from './core/company.commands.js';
import { companyStream } from './core/company.events.js';
import type { CompanyState } from './core/company.state.js';

/** The outcome of a command on a company. Every view shows it by then. */
export type CompanyOutcome<Result> = OutcomeOf<CompanyState, Result, CompanyRefusal>;

type Outcome<Type extends CompanyCommand['type']> = Promise<CompanyOutcome<CompanyResults[Type]>>;

/**
 * Everything that may be done to companies. Each method answers after the views show the change. A refusal is an
 * outcome, not a throw.
 * @throws StoreUnavailableError, WriteContendedError from every method
 */
@Injectable()
export class CompanyCommands {
  constructor(
    private readonly runner: CommandRunner,
    private readonly projector: CompanyProjector,
  ) {}

  /**
   * A new thing has the command's id, so that a second attempt names the same.
   * @param sandbox whether it has its own clock, and keys that open nothing; it never changes
   */
  registerCompany(name: string, sandbox: boolean, context: WriteContext): Outcome<'RegisterCompany'> {
    const company_id = context.command_id;
    return this.#write(company_id, { type: 'RegisterCompany', company_id, name, sandbox }, context);
  }

  /** From its answer on nobody decides with the sandbox's time of before; what fell due is not yet decided again. */
  advanceSandboxClock(
    company_id: string,
    advance_seconds: number,
    context: WriteContext,
  ): Outcome<'AdvanceSandboxClock'> {
    return this.#write(company_id, { type: 'AdvanceSandboxClock', advance_seconds }, context);
  }

  issueApiToken(
    company_id: string,
    token: CompanyCommandFields['IssueApiToken'],
    context: WriteContext,
  ): Outcome<'IssueApiToken'> {
    return this.#write(company_id, { type: 'IssueApiToken', ...token }, context);
  }

  revokeApiToken(company_id: string, token_id: string, context: WriteContext): Outcome<'RevokeApiToken'> {
    return this.#write(company_id, { type: 'RevokeApiToken', token_id }, context);
  }

  /** Gives a code to a location, and answers which location has it: this one, or one that came before. */
  addLocation(
    company_id: string,
    location_id: string,
    pms_location_code: string,
    context: WriteContext,
  ): Outcome<'AddLocation'> {
    return this.#write(company_id, { type: 'AddLocation', location_id, pms_location_code }, context);
  }

  #write<One extends CompanyCommand>(
    company_id: string,
    command: One,
    context: WriteContext,
  ): Promise<CompanyOutcome<CompanyResults[One['type']]>> {
    if (!isPossibleId(company_id)) {
      return Promise.resolve({ kind: 'rejected', refusal: { code: 'company_not_found' } });
    }
    const { projector } = this;
    const kind = { aggregate: COMPANY, states: projector.states, projector };
    const outcome = this.runner.write(kind, companyStream(company_id), command, 'world', context);
    return outcome as Promise<CompanyOutcome<CompanyResults[One['type']]>>;
  }
}
