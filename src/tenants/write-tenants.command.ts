import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Aggregate } from '../writing/aggregate.js';
import { CompanyClocks } from '../companies/index.js';
import { StreamWriter } from '../writing/stream-writer.js';
import { UnseenProjection } from '../writing/unseen-projection.js';
import type { WriteContext } from '../writing/write-context.js';
import type { WriteOutcome } from '../writing/write-outcome.js';
import { decideTenant, evolveTenant, type TenantCommand, type TenantState } from './core/tenant.decide.js';
import { TENANT_CATEGORY, TENANT_EVENT_TYPES, type TenantEvent, tenantStream } from './core/tenant.events.js';

export type TenantOutcome = WriteOutcome<TenantState, undefined, never>;

/** What is done to one tenant's account. */
export interface TenantWrite {
  readonly tenant_id: string;
  readonly command: TenantCommand;
}

/** The one door for what leaves an event of a tenant: distinct tenants of one company, outcomes in the order of `writes`. */
export class WriteTenants extends Command<TenantOutcome[]> {
  constructor(
    readonly company_id: string,
    readonly writes: readonly TenantWrite[],
    readonly context: WriteContext,
  ) {
    super();
  }
}

const TENANT: Aggregate<TenantState, TenantEvent, TenantCommand, undefined, never> = {
  category: TENANT_CATEGORY,
  types: TENANT_EVENT_TYPES,
  evolve: evolveTenant,
  decide: decideTenant,
};

const UNSEEN = new UnseenProjection(TENANT);

@CommandHandler(WriteTenants)
export class WriteTenantsHandler implements ICommandHandler<WriteTenants> {
  constructor(
    private readonly writer: StreamWriter,
    private readonly clocks: CompanyClocks,
  ) {}

  async execute({ company_id, writes, context }: WriteTenants): Promise<TenantOutcome[]> {
    const parts = writes.map(({ tenant_id, command }) => ({ stream: tenantStream(tenant_id), command }));
    const writing = { aggregate: TENANT, projection: UNSEEN, clock: await this.clocks.of(company_id) };
    return this.writer.write(writing, parts, context);
  }
}
