import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import type { Ids } from '../config/ids.js';
import { ENVIRONMENT, IDS } from '../config/injection-tokens.js';
import { OperatorSessions } from './operator-sessions.js';
import { Operators } from './operators.js';
import { isPassword } from './passwords.js';

const DEFAULT_EMAIL = 'operator@localhost';

/** Sees to it that somebody can sign in (decisions §6). */
@Injectable()
export class FirstOperator {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'operator'>,
    @Inject(IDS) private readonly ids: Ids,
    private readonly operators: Operators,
    private readonly sessions: OperatorSessions,
  ) {}

  /**
   * Makes the first operator where there is none. The environment's word on the password stands over the stored one;
   * where it changes, the operator's sessions end. May run at every start, in several processes at once.
   * @returns the operator's e-mail, and the password only where it was made up just now: nobody will see it again.
   * @throws StoreUnavailableError
   */
  async ensure(): Promise<{ readonly email: string; readonly password?: string }> {
    const given = this.environment.operator;
    if (given !== undefined) {
      await this.#ensureGiven(given);
      return { email: given.email };
    }
    const standing = await this.operators.any();
    if (standing !== undefined) return { email: standing.email };
    const password = this.ids.secret();
    const created = await this.operators.create(DEFAULT_EMAIL, password);
    return created ? { email: DEFAULT_EMAIL, password } : { email: DEFAULT_EMAIL };
  }

  async #ensureGiven({
    email,
    password,
  }: {
    readonly email: string;
    readonly password: string;
  }): Promise<void> {
    let operator = await this.operators.byEmail(email);
    if (operator === undefined) {
      if (await this.operators.create(email, password)) return;
      operator = await this.operators.byEmail(email);
    }
    if (operator === undefined || (await isPassword(password, operator.password_hash))) return;
    await this.operators.changePassword(operator, password);
    await this.sessions.endAllOf(operator._id);
  }
}
