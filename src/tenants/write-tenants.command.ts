import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Aggregate } from '../writing/aggregate.js';
import { CompanyClocks } from '../companies/index.js';
import type { OpenStream } from '../writing/command-run.js';
import { CommandRunner } from '../writing/command-runner.js';
import { LogStates } from '../writing/log-states.js';
import type { WriteContext } from '../writing/write-context.js';
import type { Outcome } from '../writing/outcome.js';
import { decideTenant, evolveTenant, type TenantCommand, type TenantState } from './core/tenant.decide.js';
import { TENANT_CATEGORY, TENANT_EVENT_TYPES, type TenantEvent, tenantStream } from './core/tenant.events.js';

export type TenantOutcome = Outcome<TenantState, undefined, never>;

/** The changes of one tenant's account. */
export interface TenantWrite {
  readonly tenant_id: string;
  readonly command: TenantCommand;
}

/** The one door for what leaves an event of a tenant: distinct tenants of one company, outcomes in the order of `writes`. */
export class WriteTenants extends Command<readonly TenantOutcome[]> {
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

const STATES = new LogStates(TENANT);

@CommandHandler(WriteTenants)
export class WriteTenantsHandler implements ICommandHandler<WriteTenants> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly clocks: CompanyClocks,
  ) {}

  async execute({ company_id, writes, context }: WriteTenants): Promise<readonly TenantOutcome[]> {
    const clock = await this.clocks.of(company_id);
    const run = {
      aggregate: TENANT,
      states: STATES,
      streams: writes.map(({ tenant_id }) => tenantStream(tenant_id)),
      prepare: (open: readonly OpenStream<TenantState>[]) => {
        return { clock, commands: open.map(({ index }) => ({ command: writes[index]!.command })) };
      },
    };
    return this.runner.run(run, context);
  }
}
