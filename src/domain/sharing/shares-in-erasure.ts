import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { TenantAccounts } from '#domain/tenants/index.js';
import { type UnitDocument, WriteUnits } from '#domain/units/index.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import { derivedUlid } from '#kernel/derived-ulid.js';

/**
 * What a unit gives to a person in the instant in which the person is erased. The erasure ends what it finds, and a write that
 * comes later than its look has to look itself.
 */
@Injectable()
export class SharesInErasure {
  constructor(
    private readonly accounts: TenantAccounts,
    private readonly commands: CommandBus,
  ) {}

  /**
   * Ends shares and offers of the unit to an account that was erased meanwhile.
   * @param context of the write that gave them
   * @returns whether the account was erased. @throws StoreUnavailableError
   */
  async endIfErased(
    { company_id, crm_unit_id }: Pick<UnitDocument, 'company_id' | 'crm_unit_id'>,
    tenant_id: string,
    context: WriteContext,
  ): Promise<boolean> {
    const [account] = await this.accounts.byTenantId([tenant_id]);
    if (account === undefined || account.erased_at === null) return false;
    const command_id = derivedUlid(context.command_id, 'erased');
    const writes = [{ crm_unit_id, command: { type: 'EndSharesOf', tenant_id } }] as const;
    await this.commands.execute(new WriteUnits(company_id, writes, { ...context, command_id }));
    return true;
  }
}
