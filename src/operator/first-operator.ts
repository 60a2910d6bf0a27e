import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import type { Ids } from '../config/ids.js';
import { ENVIRONMENT, IDS } from '../config/injection-tokens.js';
import type { AskedBy } from './operator-lease.js';
import { OperatorAdministration } from './operator-administration.js';
import { Operators } from './operators.js';
import { Passwords } from './passwords.js';

const DEFAULT_EMAIL = 'operator@localhost';
const EVERYTHING = { role: 'admin', companies: null, disabled: false } as const;

/** Sees to it that somebody can sign in (decisions §6). */
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
   * Makes the first operator where there is none. A password that the environment names anew stands over the stored one;
   * one that was changed since by its owner stands over what the environment still says. Whoever was removed stays so.
   * May run at every start, in several processes at once.
   * @returns the operator's e-mail, and the password only where it was made up just now: nobody will see it again.
   * @throws StoreUnavailableError
   */
  async ensure(): Promise<{ readonly email: string; readonly password?: string }> {
    const given = this.environment.operator;
    if (given !== undefined) {
      await this.#ensureGiven(given);
      return { email: given.email };
    }
    const [standing] = await this.operators.all();
    if (standing !== undefined) return { email: standing.email };
    const password = this.ids.secret();
    const made = { email: DEFAULT_EMAIL, password, ...EVERYTHING };
    const isTaken = (await this.administration.add(made, this.#asked())) === 'email_taken';
    return isTaken ? { email: DEFAULT_EMAIL } : { email: DEFAULT_EMAIL, password };
  }

  async #ensureGiven({
    email,
    password,
  }: {
    readonly email: string;
    readonly password: string;
  }): Promise<void> {
    const operator = await this.operators.byEmail(email);
    if (operator === undefined) {
      if (await this.operators.wasRemoved(email)) return;
      await this.administration.add({ email, password, ...EVERYTHING }, this.#asked(), true);
      return;
    }
    const { environment_hash } = operator;
    if (environment_hash !== null && (await this.passwords.matches(password, environment_hash))) return;
    await this.administration.change(operator._id, { password, by_environment: true }, this.#asked());
  }

  #asked(): AskedBy {
    const command_id = this.ids.ulid();
    const actor = { kind: 'system', id: 'environment' } as const;
    return { asker: 'system', context: { command_id, request_id: command_id, actor, recovering: false } };
  }
}
