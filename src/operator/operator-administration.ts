import { Injectable } from '@nestjs/common';
import { isInScope } from '../http/operator-access.js';
import { StoreUnavailableError } from '../storage/store.errors.js';
import type { HeldLease } from '../documents/take-lease.js';
import type { WriteContext } from '../writing/write-context.js';
import { differing, endsSessions, rightsOf } from './core/operator.decide.js';
import type { OperatorField, OperatorRights } from './core/operator.events.js';
import { OperatorSessions } from './operator-sessions.js';
import { OperatorStreams } from './operator-streams.js';
import { type AskedBy, type Asker, OperatorLease } from './operator-lease.js';
import { credentialsOf, emailKey, type OperatorRecord, Operators } from './operators.js';
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
export type OperatorRefusal = 'operator_not_found' | 'email_taken' | 'last_admin' | 'password_guessable';

/**
 * Changes operators, one at a time over all processes: an admin of all companies who can sign in must remain. Passwords
 * are checked and hashed before the lease is taken, within the asker's bound. The asker's rights and the operator's scope
 * are judged under the lease (decisions §6). The event is stored before the record.
 * @throws ApiError 401 from every method if the asker's rights have changed since they were admitted; 429
 * @throws GivenUpError, StoreUnavailableError, WriteContendedError from every method
 */
@Injectable()
export class OperatorAdministration {
  constructor(
    private readonly lease: OperatorLease,
    private readonly operators: Operators,
    private readonly streams: OperatorStreams,
    private readonly sessions: OperatorSessions,
    private readonly passwords: Passwords,
  ) {}

  async add(
    { email, password, ...rights }: NewOperator,
    asked: AskedBy,
    by_environment = false,
  ): Promise<OperatorRecord | OperatorRefusal> {
    const add = async (
      lease: HeldLease,
      password_hash: string,
    ): Promise<OperatorRecord | OperatorRefusal> => {
      const environment_hash = by_environment ? password_hash : null;
      const added_by = asked.context.command_id;
      const holder = await this.operators.byEmail(email);
      // An earlier attempt at the command made it, and its answer was lost.
      if (holder?.added_by === added_by) return holder;
      if (holder !== undefined) return 'email_taken';
      const details = { email, password_hash, environment_hash, added_by, ...rightsOf(rights) };
      const operator = this.operators.draft(details);
      const credential_sha256 = credentialsOf(operator).password_sha256;
      const named = { operator_id: operator._id, rights: rightsOf(rights), credential_sha256 };
      const command = { type: 'AddOperator', ...named } as const;
      await lease.demand();
      await this.streams.write(operator._id, command, asked.context);
      const outcome = await lease.write(
        () => this.operators.insert(operator),
        () => this.operators.takeBack(operator),
      );
      return outcome === 'written' ? operator : 'email_taken';
    };
    return this.lease.enter(asked, async (hold) => {
      if (await this.#isGuessable(password, email, asked)) return 'password_guessable';
      const hash = await this.passwords.hash(password, asked.context.deadline);
      return hold((lease) => add(lease, hash));
    });
  }

  /** A change of the password or of rights ends the sessions. */
  async change(
    operator_id: string,
    { password, by_environment = false, ...changes }: OperatorChanges,
    asked: AskedBy,
  ): Promise<OperatorRecord | OperatorRefusal> {
    const change = async (
      lease: HeldLease,
      password_hash?: string,
    ): Promise<OperatorRecord | OperatorRefusal> => {
      const hashes = password_hash && {
        password_hash,
        ...(by_environment ? { environment_hash: password_hash } : {}),
      };
      const before = await this.operators.byId(operator_id);
      if (before === undefined || !isWithin(before.companies, asked.asker)) return 'operator_not_found';
      const email = changes.email ?? before.email;
      const after = { ...before, ...changes, email, email_key: emailKey(email), ...hashes };
      const refusal = await this.#refusalOf(before, after);
      if (refusal !== undefined) return refusal;
      return this.#replace(before, after, asked.context, lease);
    };
    return this.lease.enter(asked, async (hold) => {
      if (password === undefined) return hold(change);
      const email = changes.email ?? (await this.operators.byId(operator_id))?.email ?? '';
      if (await this.#isGuessable(password, email, asked)) return 'password_guessable';
      const hash = await this.passwords.hash(password, asked.context.deadline);
      return hold((lease) => change(lease, hash));
    });
  }

  async remove(operator_id: string, asked: AskedBy): Promise<OperatorRefusal | undefined> {
    return this.lease.hold(asked, async (lease) => {
      const operator = await this.operators.byId(operator_id);
      if (operator === undefined || !isWithin(operator.companies, asked.asker)) return 'operator_not_found';
      if (isRuling(operator) && (await this.#isLast(operator))) return 'last_admin';
      await lease.demand();
      await this.streams.write(operator_id, { type: 'RemoveOperator' }, asked.context);
      await lease.demand();
      if ((await this.operators.remove(operator)) !== 'written') throw changedElsewhere();
      await this.sessions.endAllOf(operator_id);
      return undefined;
    });
  }

  /** For an operator who has lost it. All their sessions end. */
  async removeSecondFactor(operator_id: string, asked: AskedBy): Promise<OperatorRecord | OperatorRefusal> {
    return this.lease.hold(asked, async (lease) => {
      const before = await this.operators.byId(operator_id);
      if (before === undefined || !isWithin(before.companies, asked.asker)) return 'operator_not_found';
      if (before.second_factor === null) return before;
      await lease.demand();
      await this.streams.write(operator_id, { type: 'RemoveSecondFactor' }, asked.context);
      await lease.demand();
      const after = { ...before, second_factor: null, rights_version: before.rights_version + 1 };
      if ((await this.operators.replace(before, after)) !== 'written') throw changedElsewhere();
      await this.sessions.endAllOf(operator_id);
      return after;
    });
  }

  /** The environment's password is checked at the start; the command line makes its own. */
  async #isGuessable(password: string, email: string, { asker, context }: AskedBy): Promise<boolean> {
    if (asker === 'system') return false;
    const { deadline } = context;
    return this.passwords.isGuessable(password, email, { goesFirst: asker.companies === null, deadline });
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
    lease: HeldLease,
  ): Promise<OperatorRecord> {
    const details: Extract<OperatorField, 'email' | 'password'>[] = [];
    if (after.email !== before.email) details.push('email');
    if (after.password_hash !== before.password_hash) details.push('password');
    await lease.demand();
    const credential_sha256 = details.includes('password') ? credentialsOf(after).password_sha256 : undefined;
    const command = { type: 'ChangeOperator', rights: rightsOf(after), details, credential_sha256 } as const;
    await this.streams.write(before._id, command, context);
    const ends = endsSessions([...details, ...differing(before, after)]);
    const changed = { ...after, rights_version: before.rights_version + (ends ? 1 : 0) };
    const outcome = await lease.write(
      () => this.operators.replace(before, changed),
      () => this.operators.replace({ ...changed, version: before.version + 1 }, before),
    );
    if (outcome !== 'written') throw changedElsewhere();
    if (ends) await this.sessions.endAllOf(before._id);
    return changed;
  }

  async #isLast({ _id }: OperatorRecord): Promise<boolean> {
    return !(await this.operators.all()).some((one) => one._id !== _id && isRuling(one));
  }
}

/** Whether an operator of these companies is shown to the asker: nobody else's companies are among them. */
export function isWithin(companies: readonly string[] | null, asker: Asker): boolean {
  if (asker === 'system' || asker.companies === null) return true;
  return companies?.every((company_id) => isInScope(asker, company_id)) ?? false;
}

export function changedElsewhere(): StoreUnavailableError {
  return new StoreUnavailableError('The operator is being changed by another process.', true);
}

/** Whether an operator can do everything, and so help out all others. */
function isRuling({ role, companies, disabled }: OperatorRights): boolean {
  return role === 'admin' && companies === null && !disabled;
}
