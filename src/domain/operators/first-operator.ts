import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '#kernel/environment/environment.js';
import type { Ids } from '#kernel/ids.js';
import { ENVIRONMENT, IDS } from '#kernel/injection-tokens.js';
import type { ChangeOrigin } from './operator-lease.js';
import { OperatorAdministration } from './operator-administration.js';
import { Operators } from './operators.js';
import { Passwords } from './passwords.js';

const DEFAULT_EMAIL = 'operator@localhost';
const ALL_RIGHTS = { role: 'admin', companies: null, sites: null, disabled: false } as const;

/** Makes the first operator, so that somebody can sign in (decisions §6). */
@Injectable()
export class FirstOperator {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'operator'>,
    @Inject(IDS) private readonly ids: Ids,
    private readonly operators: Operators,
    private readonly administration: OperatorAdministration,
    private readonly passwords: Passwords,
  ) {}

  /**
   * Makes the first operator if there is none. If the environment names a new password, it replaces the stored one. If it
   * names the same as before, a password that the operator has changed since is kept. A removed operator is not added again.
   * It may run at every start, in several processes at once.
   * @returns the operator's e-mail, and the password if it was generated now: it cannot be read again
   * @throws StoreUnavailableError
   */
  async ensure(): Promise<{ readonly email: string; readonly password?: string }> {
    const given = this.environment.operator;
    if (given !== undefined) {
      await this.#ensureGiven(given);
      return { email: given.email };
    }
    const [existing] = await this.operators.all();
    if (existing !== undefined) return { email: existing.email };
    const password = this.ids.secret();
    const made = { email: DEFAULT_EMAIL, password, ...ALL_RIGHTS };
    const isTaken = (await this.administration.add(made, this.#origin(), 'start')) === 'email_taken';
    return isTaken ? { email: DEFAULT_EMAIL } : { email: DEFAULT_EMAIL, password };
  }

  async #ensureGiven({ email, password }: NonNullable<Environment['operator']>): Promise<void> {
    const operator = await this.operators.byEmail(email);
    if (operator === undefined) {
      if (await this.operators.wasRemoved(email)) return;
      await this.administration.add({ email, password, ...ALL_RIGHTS }, this.#origin(), 'environment');
      return;
    }
    const { environment_hash } = operator;
    if (environment_hash !== null && (await this.passwords.matches(password, environment_hash))) return;
    await this.administration.change(operator._id, { password, by_environment: true }, this.#origin());
  }

  #origin(): ChangeOrigin {
    const command_id = this.ids.ulid();
    const actor = { kind: 'system', id: 'environment' } as const;
    return { author: 'system', context: { command_id, request_id: command_id, actor, recovering: false } };
  }
}
