import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { refusalError } from '#api/push/index.js';
import { TENANT_ACCESS } from '#domain/access/index.js';
import { UnitDirectory, type UnitDocument, WriteUnits } from '#domain/units/index.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { VIEWS } from '#kernel/injection-tokens.js';
import type { OperatorContext } from '#web/request-context.js';

/**
 * Ends shares with people whose details are erased, and invitations of and to them: an account that gets a person again must
 * open nothing of before.
 */
@Injectable()
export class SharesOfErased {
  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    private readonly units: UnitDirectory,
    private readonly commands: CommandBus,
  ) {}

  /** Idempotent. @throws ApiError 409 if somebody damaged the history of a unit. @throws StoreUnavailableError */
  async endShares(tenant_id: string, context: OperatorContext): Promise<void> {
    const document = await (await this.views.collection(TENANT_ACCESS)).get(tenant_id);
    if (document === undefined) return;
    const units = await this.units.byStreams(document.units.map(({ stream }) => stream));
    const writes = units.flatMap((unit) => {
      const command = { type: 'EndSharesOf', tenant_id } as const;
      const hasSome = unit !== undefined && namesIn(unit).includes(tenant_id);
      return hasSome ? [{ crm_unit_id: unit.crm_unit_id, command }] : [];
    });
    if (writes.length === 0) return;
    const outcomes = await this.commands.execute(new WriteUnits(document.company_id, writes, context));
    for (const outcome of outcomes)
      if (outcome.kind === 'rejected') throw refusalError(outcome.refusal, 'standalone');
  }
}

/** Who shares the unit or is invited, and the tenant who invites. */
function namesIn({ shares, offers = [], tenancy }: UnitDocument): string[] {
  const invited = offers.map(({ tenant_id }) => tenant_id);
  const inviting = tenancy !== null && offers.length > 0 ? [tenancy.tenant_id] : [];
  return [...shares.map(({ tenant_id }) => tenant_id), ...invited, ...inviting];
}
