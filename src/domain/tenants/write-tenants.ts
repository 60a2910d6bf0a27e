import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CompanyClocks } from '#domain/companies/index.js';
import type { OpenStream, Outcome } from '#eventsourcing/writing/command-run.js';
import { CommandRunner } from '#eventsourcing/writing/command-runner.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import type { TenantCommand, TenantState } from './core/tenant.decide.js';
import { tenantStream } from './core/tenant.events.js';
import { TENANT, type TenantKind } from './tenant.aggregate.js';

interface TenantWrite {
  readonly tenant_id: string;
  readonly command: TenantCommand;
}

/** Commands on accounts of distinct tenants of one company. Answers in the order of `writes`. */
export class WriteTenants extends Command<readonly Outcome<TenantKind>[]> {
  constructor(
    readonly company_id: string,
    readonly writes: readonly TenantWrite[],
    readonly context: WriteContext,
  ) {
    super();
  }
}

/** Each stream is taken as new. If it is not, the append conflicts; then it is read and decided again. */
const states = { load: () => Promise.resolve([]) };

/** @throws StoreUnavailableError, WriteContendedError */
@CommandHandler(WriteTenants)
export class WriteTenantsHandler implements ICommandHandler<WriteTenants> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly clocks: CompanyClocks,
  ) {}

  async execute({ company_id, writes, context }: WriteTenants): Promise<readonly Outcome<TenantKind>[]> {
    const clock = await this.clocks.findClock(company_id);
    const run = {
      aggregate: TENANT,
      states,
      streams: writes.map(({ tenant_id }) => tenantStream(tenant_id)),
      prepare: (open: readonly OpenStream<TenantState>[]) => {
        return { clock, commands: open.map(({ index }) => ({ command: writes[index]!.command })) };
      },
    };
    return this.runner.run(run, context);
  }
}
