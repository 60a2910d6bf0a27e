import { Injectable } from '@nestjs/common';
import { refusalError } from '#api/push/index.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { FOREIGN_TEST_NUMBER, OwnAccounts, SandboxPhones } from '#domain/tenants/index.js';
import { refuseShare, UnitDirectory, type UnitDocument } from '#domain/units/index.js';
import { invalidField } from '#kernel/errors/api-error.js';
import type { ResultOf } from '#kernel/result-of.js';
import type { OperatorContext } from '#web/request-context.js';
import { found } from '../facility.refusals.js';
import type { NewPersonShareBody } from './operator-units.dto.js';
import { instantOrNull, UnitAdministration } from './unit-administration.js';

export type NewPersonShare =
  | { readonly kind: 'shared'; readonly share: SharedWithPerson }
  /** Nothing was written: the phone is that of an account of the location. */
  | { readonly kind: 'known' };

type SharedWithPerson = { readonly tenant_id: string } & ResultOf<UnitAdministration['shareUnit']>;

export const PHONE_TAKEN =
  'The phone field is the number of an account at this location: find that account by it, and share with it.';

/** Shares units with people who have no account yet. */
@Injectable()
export class NewPersonShares {
  constructor(
    private readonly directory: UnitDirectory,
    private readonly clocks: CompanyClocks,
    private readonly phones: SandboxPhones,
    private readonly ownAccounts: OwnAccounts,
    private readonly units: UnitAdministration,
  ) {}

  /**
   * Makes an account at the unit's location, and shares the unit with it. A share that would be refused makes none.
   * @throws ApiError 404, 409, 422
   */
  async shareUnit(
    unit_id: string,
    { name, phone, until }: NewPersonShareBody,
    context: OperatorContext,
  ): Promise<NewPersonShare> {
    const unit = found(await this.directory.byUnitId(unit_id), 'unit_not_found');
    const share = { tenant_id: context.command_id, until: instantOrNull(until) };
    const refusal = refuseShare(unit, share, await this.clocks.now(unit.company_id));
    if (refusal !== undefined) throw refusalError(refusal, 'standalone');
    const account = await this.#createAccount(unit, { name, phone }, context);
    if (account === 'taken') return { kind: 'known' };
    const { tenant_id } = account;
    const shared = await this.units.shareUnit({ unit_id, tenant_id }, { until }, context);
    return { kind: 'shared', share: { tenant_id, ...shared } };
  }

  async #createAccount(
    { company_id, location_id }: UnitDocument,
    person: { readonly name: string; readonly phone: string },
    context: OperatorContext,
  ) {
    if (!(await this.phones.mayRecord(company_id, person.phone)))
      throw invalidField('phone', 'not_allowed', FOREIGN_TEST_NUMBER);
    const place = { company_id, location_id };
    return this.ownAccounts.createGuest({ place, ...person }, context);
  }
}
