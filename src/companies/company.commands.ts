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

/** The outcome of a command on a company. All views show it already. */
export type CompanyOutcome<Result> = OutcomeOf<CompanyState, Result, CompanyRefusal>;

type Outcome<Type extends CompanyCommand['type']> = Promise<CompanyOutcome<CompanyResults[Type]>>;

/**
 * All commands on companies. Each method answers after the views show the change. Refusals are outcomes, not exceptions.
 * @throws StoreUnavailableError, WriteContendedError from every method
 */
@Injectable()
export class CompanyCommands {
  constructor(
    private readonly runner: CommandRunner,
    private readonly projector: CompanyProjector,
  ) {}

  /**
   * The company gets the command's id, so that a repeat has the same id.
   * @param sandbox true: the company has its own clock, and its keys open nothing. It never changes.
   */
  registerCompany(name: string, sandbox: boolean, context: WriteContext): Outcome<'RegisterCompany'> {
    const company_id = context.command_id;
    return this.#write(company_id, { type: 'RegisterCompany', company_id, name, sandbox }, context);
  }

  /** After the answer, every process uses the new time. The sweep that decides units again comes later. */
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

  /** Reserves a code for a location. Answers the location that has the code: this one, or an earlier one. */
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
