import { Injectable } from '@nestjs/common';
import { errorOf, invalidField, validationFailed } from '#kernel/errors/api-error.js';
import type { FieldFault } from '#kernel/errors/field-fault.js';
import { timestampOrNull, toTimestamp } from '#kernel/timestamp.js';
import { isPossibleId } from '#kernel/possible-id.js';
import { isInScope, type OperatorPrincipal, type Site } from '#kernel/principals.js';
import type { OperatorContext } from '#web/request-context.js';
import { CompanyDirectory } from '#domain/companies/index.js';
import { LocationDirectory } from '#domain/locations/index.js';
import {
  type Invited,
  isInScopeOf,
  OperatorAdministration,
  OperatorInvitations,
  type OperatorRecord,
  type OperatorRefusal,
  Operators,
  OperatorSessions,
} from '#domain/operators/index.js';
import { assertDone, operatorAnswer, originOf, refusedOperator } from './operator.answers.js';
import type { NewOperatorBody, OperatorChangeBody } from './operators.dto.js';

/** Of the page that opens an invitation. */
const JOIN_PATH = '/dashboard/join';

/** What admins do to operators (decisions §6). An admin of some companies sees only operators of these companies. */
@Injectable()
export class OperatorAccounts {
  constructor(
    private readonly operators: Operators,
    private readonly administration: OperatorAdministration,
    private readonly invitations: OperatorInvitations,
    private readonly sessions: OperatorSessions,
    private readonly companies: CompanyDirectory,
    private readonly locations: LocationDirectory,
  ) {}

  async listOperators(principal: OperatorPrincipal) {
    const operators = (await this.operators.all()).filter((one) => isInScopeOf(one, principal));
    const seen = await this.sessions.lastSeen(operators.map(({ _id }) => _id));
    return operators.map((operator) => {
      const last_seen_at = timestampOrNull(seen.get(operator._id) ?? null);
      return { ...operatorAnswer(operator), last_seen_at };
    });
  }

  /**
   * Without a password, the answer has a link by which the operator sets one.
   * @param linkOrigin origin of the link; may throw ApiError @throws ApiError 409, 422
   */
  async addOperator(body: NewOperatorBody, context: OperatorContext, linkOrigin: () => string) {
    const { companies = null, locations = null, disabled = false, ...rest } = body;
    await this.#assertCompanies(companies, context.principal);
    const sites = locations && (await this.#readSites(locations, companies));
    const { password, ...named } = { ...rest, companies, sites, disabled };
    if (password === undefined) {
      const origin = linkOrigin();
      return this.#invited(await this.administration.invite(named, originOf(context)), origin);
    }
    const added = await this.administration.add({ ...named, password }, originOf(context));
    return { ...operatorAnswer(assertDone(added)), invitation: null };
  }

  /** Makes a link by which the operator sets a password. The link before ends. @throws ApiError 404, 409 */
  async inviteOperator(operator_id: string, context: OperatorContext, linkOrigin: () => string) {
    await this.#readInScope(operator_id, context.principal);
    const origin = linkOrigin();
    return this.#invited(await this.invitations.renew(operator_id, originOf(context)), origin);
  }

  /** @throws ApiError 404 */
  async withdrawInvitation(operator_id: string, context: OperatorContext) {
    await this.#readInScope(operator_id, context.principal);
    return operatorAnswer(assertDone(await this.invitations.withdraw(operator_id, originOf(context))));
  }

  /** @throws ApiError 404, 409, 422 */
  async changeOperator(operator_id: string, body: OperatorChangeBody, context: OperatorContext) {
    const operator = await this.#readInScope(operator_id, context.principal);
    const { locations, ...others } = body;
    const { companies = operator.companies } = body;
    if (body.companies !== undefined) await this.#assertCompanies(companies, context.principal);
    const sites = await this.#changedSites(
      operator,
      { locations, isMoved: body.companies !== undefined },
      companies,
    );
    const changes = sites === undefined ? others : { ...others, sites };
    const changed = await this.administration.change(operator_id, changes, originOf(context));
    return operatorAnswer(assertDone(changed));
  }

  /** @throws ApiError 404, 409 */
  async removeOperator(operator_id: string, context: OperatorContext): Promise<void> {
    await this.#readInScope(operator_id, context.principal);
    const refusal = await this.administration.remove(operator_id, originOf(context));
    if (refusal !== undefined) throw refusedOperator(refusal);
  }

  /** Of another operator. Operators remove their own with password and code. @throws ApiError 404, 409 */
  async removeSecondFactor(operator_id: string, context: OperatorContext) {
    await this.#readInScope(operator_id, context.principal);
    if (operator_id === context.principal.id) throw errorOf('own_second_factor');
    const changed = await this.administration.removeSecondFactor(operator_id, originOf(context));
    return operatorAnswer(assertDone(changed));
  }

  /** Signs the operator out everywhere. @throws ApiError 404 */
  async endSessions(operator_id: string, context: OperatorContext) {
    await this.#readInScope(operator_id, context.principal);
    return operatorAnswer(assertDone(await this.administration.endSessions(operator_id, originOf(context))));
  }

  /** @throws ApiError */
  #invited(outcome: Invited | OperatorRefusal, origin: string) {
    if (typeof outcome === 'string') throw refusedOperator(outcome);
    const { operator, token } = outcome;
    const invitation = token === null ? null : linkOf(token, operator.invitation!.expires_at, origin);
    return { ...operatorAnswer(operator), invitation };
  }

  /** @throws ApiError 404 */
  async #readInScope(operator_id: string, principal: OperatorPrincipal): Promise<OperatorRecord> {
    const operator = isPossibleId(operator_id) ? await this.operators.byId(operator_id) : undefined;
    if (operator === undefined || !isInScopeOf(operator, principal)) throw errorOf('operator_not_found');
    return operator;
  }

  /** Undefined if the sites stay. They must suit changed companies, too: the operator would see nothing. @throws ApiError 422 */
  async #changedSites(
    operator: OperatorRecord,
    { locations, isMoved }: Pick<OperatorChangeBody, 'locations'> & { readonly isMoved: boolean },
    companies: readonly string[] | null,
  ): Promise<readonly Site[] | null | undefined> {
    if (locations === null) return null;
    if (locations !== undefined) return this.#readSites(locations, companies);
    if (!isMoved || operator.sites === null) return undefined;
    return this.#readSites(
      operator.sites.map(({ location_id }) => location_id),
      companies,
    );
  }

  /** The locations with their companies, each of which must be among these. @throws ApiError 422 */
  async #readSites(
    location_ids: readonly string[],
    companies: readonly string[] | null,
  ): Promise<readonly Site[]> {
    const found = await Promise.all(location_ids.map((location_id) => this.locations.location(location_id)));
    const sites = found.flatMap((location): Site[] =>
      location !== undefined && isInScope({ companies }, location.company_id)
        ? [{ company_id: location.company_id, location_id: location._id }]
        : [],
    );
    const known = new Set(sites.map(({ location_id }) => location_id));
    const faults = location_ids.flatMap((location_id, index): FieldFault[] => {
      if (known.has(location_id)) return [];
      const message = `The locations.${index} field must be a location of these companies.`;
      return [{ field: `locations.${index}`, code: 'unknown_value', message }];
    });
    if (faults.length > 0) throw validationFailed(faults);
    return sites;
  }

  /** An operator can give another one only companies of the own scope. @throws ApiError 422 */
  async #assertCompanies(companies: readonly string[] | null, principal: OperatorPrincipal): Promise<void> {
    if (companies === null) {
      if (principal.companies === null) return;
      throw invalidField('companies', 'required', 'The companies field is required.');
    }
    const found = await Promise.all(companies.map((company_id) => this.companies.company(company_id)));
    const faults = companies.flatMap((company_id, index): FieldFault[] => {
      if (found[index] !== undefined && isInScope(principal, company_id)) return [];
      const message = `The companies.${index} field must be a company.`;
      return [{ field: `companies.${index}`, code: 'unknown_value', message }];
    });
    if (faults.length > 0) throw validationFailed(faults);
  }
}

function linkOf(token: string, expires_at: number, origin: string) {
  return { url: `${origin}${JOIN_PATH}/${token}`, expires_at: toTimestamp(expires_at) };
}
