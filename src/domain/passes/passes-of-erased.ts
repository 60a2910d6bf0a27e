import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import { PassDirectory } from './pass.directory.js';
import { WritePass } from './write-pass.js';

/** Ends the passes of people whose details are erased: an account that gets a person again must open nothing of before. */
@Injectable()
export class PassesOfErased {
  constructor(
    private readonly directory: PassDirectory,
    private readonly commands: CommandBus,
  ) {}

  /** Idempotent. @throws StoreUnavailableError, HistoryDamagedError */
  async endPasses(tenant_id: string, context: WriteContext): Promise<void> {
    const command = { type: 'EndPass', cause: 'holder_erased' } as const;
    for (const { company_id, pass_id, ...pass } of await this.directory.ever('by_tenant', tenant_id))
      if (pass.tenant_id === tenant_id)
        await this.commands.execute(new WritePass(company_id, pass_id, command, context));
  }
}
