import { Injectable } from '@nestjs/common';
import { CompanyClocks } from '../companies/index.js';
import type { Aggregate } from '../writing/aggregate.js';
import type { OpenStream } from '../writing/command-run.js';
import { CommandRunner } from '../writing/command-runner.js';
import type { WriteContext } from '../writing/write-context.js';
import { decideTenant, evolveTenant, type TenantCommand, type TenantState } from './core/tenant.decide.js';
import { TENANT_CATEGORY, TENANT_EVENT_TYPES, type TenantEvent, tenantStream } from './core/tenant.events.js';

interface TenantWrite {
  readonly tenant_id: string;
  readonly command: TenantCommand;
}

const TENANT: Aggregate<TenantState, TenantEvent, TenantCommand, undefined, never> = {
  category: TENANT_CATEGORY,
  types: TENANT_EVENT_TYPES,
  evolve: evolveTenant,
  decide: decideTenant,
};

/** Commands do not depend on earlier events, so a stream is read only after a conflict. */
const states = { load: () => Promise.resolve([]) };

/** Writes events about tenants' accounts. */
@Injectable()
export class TenantStreams {
  constructor(
    private readonly runner: CommandRunner,
    private readonly clocks: CompanyClocks,
  ) {}

  /**
   * @param writes of distinct tenants of one company
   * @returns outcomes in the order of `writes`
   * @throws StoreUnavailableError, WriteContendedError
   */
  async write(company_id: string, writes: readonly TenantWrite[], context: WriteContext) {
    const clock = await this.clocks.of(company_id);
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
