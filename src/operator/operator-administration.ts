import { Injectable } from '@nestjs/common';
import { StoreUnavailableError } from '../storage/store.errors.js';
import type { WriteContext } from '../writing/write-context.js';
import { differing, endsSessions, rightsOf } from './core/operator.decide.js';
import type { OperatorField, OperatorRights } from './core/operator.events.js';
import { OperatorSessions } from './operator-sessions.js';
import { OperatorStreams } from './operator-streams.js';
import { OperatorTurn } from './operator-turn.js';
import { emailKey, type OperatorRecord, Operators } from './operators.js';
import { Passwords } from './passwords.js';

export interface NewOperator extends OperatorRights {
  readonly email: string;
  readonly password: string;
}

export interface OperatorChanges extends Partial<NewOperator> {
  /** The new password is the environment's word. */
  readonly by_environment?: boolean;
}

/** Why something is not done to an operator. */
export type OperatorRefusal = 'operator_not_found' | 'email_taken' | 'last_admin';

/**
 * Everything that is done to operators. One thing at a time, whichever process is asked, as there must always be an
 * admin of all companies who can sign in. What is done stands in the log before it holds.
 * @throws StoreUnavailableError, WriteContendedError from every method
 */
@Injectable()
export class OperatorAdministration {
  constructor(
    private readonly turn: OperatorTurn,
    private readonly operators: Operators,
    private readonly streams: OperatorStreams,
    private readonly sessions: OperatorSessions,
    private readonly passwords: Passwords,
  ) {}

  async add(
    { email, password, ...rights }: NewOperator,
    context: WriteContext,
    by_environment = false,
  ): Promise<OperatorRecord | OperatorRefusal> {
    const password_hash = await this.passwords.hash(password);
    const environment_hash = by_environment ? password_hash : null;
    return this.turn.take(async () => {
      if ((await this.operators.byEmail(email)) !== undefined) return 'email_taken';
      const operator = this.operators.draft({ email, password_hash, environment_hash, ...rightsOf(rights) });
      const command = { type: 'AddOperator', operator_id: operator._id, rights: rightsOf(rights) } as const;
      await this.streams.write(operator._id, command, context);
      return (await this.operators.insert(operator)) === 'written' ? operator : 'email_taken';
    });
  }

  /** A change of the password or of rights ends the sessions. */
  async change(
    operator_id: string,
    { password, by_environment = false, ...changes }: OperatorChanges,
    context: WriteContext,
  ): Promise<OperatorRecord | OperatorRefusal> {
    const password_hash = password === undefined ? undefined : await this.passwords.hash(password);
    const hashes = password_hash && {
      password_hash,
      ...(by_environment ? { environment_hash: password_hash } : {}),
    };
    return this.turn.take(async () => {
      const before = await this.operators.byId(operator_id);
      if (before === undefined) return 'operator_not_found';
      const email = changes.email ?? before.email;
      const after = { ...before, ...changes, email, email_key: emailKey(email), ...hashes };
      const refusal = await this.#refusalOf(before, after);
      if (refusal !== undefined) return refusal;
      return this.#replace(before, after, context);
    });
  }

  async remove(operator_id: string, context: WriteContext): Promise<OperatorRefusal | undefined> {
    return this.turn.take(async () => {
      const operator = await this.operators.byId(operator_id);
      if (operator === undefined) return 'operator_not_found';
      if (isRuling(operator) && (await this.#isLast(operator))) return 'last_admin';
      await this.streams.write(operator_id, { type: 'RemoveOperator' }, context);
      await this.operators.remove(operator);
      await this.sessions.endAllOf(operator_id);
      return undefined;
    });
  }

  async #refusalOf(before: OperatorRecord, after: OperatorRecord): Promise<OperatorRefusal | undefined> {
    if (isRuling(before) && !isRuling(after) && (await this.#isLast(before))) return 'last_admin';
    const holder = await this.operators.byEmail(after.email);
    return holder !== undefined && holder._id !== before._id ? 'email_taken' : undefined;
  }

  async #replace(
    before: OperatorRecord,
    after: OperatorRecord,
    context: WriteContext,
  ): Promise<OperatorRecord> {
    const details: Extract<OperatorField, 'email' | 'password'>[] = [];
    if (after.email !== before.email) details.push('email');
    if (after.password_hash !== before.password_hash) details.push('password');
    await this.streams.write(
      before._id,
      { type: 'ChangeOperator', rights: rightsOf(after), details },
      context,
    );
    const ends = endsSessions([...details, ...differing(before, after)]);
    const changed = { ...after, sessions_turn: before.sessions_turn + (ends ? 1 : 0) };
    if ((await this.operators.replace(before, changed)) !== 'written') {
      throw new StoreUnavailableError('The operator is being changed elsewhere.', true);
    }
    if (ends) await this.sessions.endAllOf(before._id);
    return changed;
  }

  async #isLast({ _id }: OperatorRecord): Promise<boolean> {
    return !(await this.operators.all()).some((one) => one._id !== _id && isRuling(one));
  }
}

/** Whether an operator can do everything, and so help out all others. */
function isRuling({ role, companies, disabled }: OperatorRights): boolean {
  return role === 'admin' && companies === null && !disabled;
}
