import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { PassDirectory, WritePass } from '#domain/passes/index.js';
import type { OperatorContext } from '#web/request-context.js';
import { passError } from './pass-refusals.js';

/** Ends the passes of people whose details are erased: an account that gets a person again must open nothing of before. */
@Injectable()
export class PassesOfErased {
  constructor(
    private readonly directory: PassDirectory,
    private readonly commands: CommandBus,
  ) {}

  /** Idempotent. @throws StoreUnavailableError */
  async endPasses(tenant_id: string, context: OperatorContext): Promise<void> {
    const command = { type: 'EndPass', cause: 'holder_erased' } as const;
    for (const { company_id, pass_id, ...pass } of await this.directory.ever('by_tenant', tenant_id)) {
      if (pass.tenant_id !== tenant_id) continue;
      const outcome = await this.commands.execute(new WritePass(company_id, pass_id, command, context));
      if (outcome.kind === 'rejected') throw passError(outcome.refusal);
    }
  }
}
