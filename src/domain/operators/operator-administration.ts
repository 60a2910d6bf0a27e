import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { isInScope } from '#kernel/principals.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import type { HeldLease } from '#eventsourcing/documents/take-lease.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import { differing, endsSessions, rightsOf } from './core/operator.decide.js';
import type { OperatorField, OperatorRights } from './core/operator.events.js';
import { OperatorSessions } from './operator-sessions.js';
import { type ChangeOrigin, type Author, OperatorLease } from './operator-lease.js';
import { credentialsOf, emailKey, type OperatorRecord, Operators } from './operators.js';
import { Passwords } from './passwords.js';
import { WriteOperator } from './write-operator.js';

export interface NewOperator extends OperatorRights {
  readonly email: string;
  readonly password: string;
}

/** The companies and sites that an operator was given. */
type Granted = Pick<OperatorRights, 'companies' | 'sites'>;

export interface OperatorChanges extends Partial<NewOperator> {
  /** True if the new password is the one that the environment names. */
  readonly by_environment?: boolean;
}

/** The reasons for which a change of an operator is refused. */
export type OperatorRefusal =
  'operator_not_found' | 'email_taken' | 'last_admin' | 'password_guessable' | 'admin_of_sites';

/**
 * Changes operators. A lease allows one change at a time over all processes, so one admin of all companies always remains
 * (decisions §6). New passwords are checked and hashed before the lease is taken, because that takes long. The author's rights
 * are checked again under the lease. The event is stored before the record.
 * Every method throws as `OperatorLease.hold` does, and WriteContendedError.
 */
@Injectable()
export class OperatorAdministration {
  constructor(
    private readonly lease: OperatorLease,
    private readonly operators: Operators,
    private readonly commands: CommandBus,
    private readonly sessions: OperatorSessions,
    private readonly passwords: Passwords,
  ) {}

  async add(
    { email, password, ...rights }: NewOperator,
    origin: ChangeOrigin,
    by_environment = false,
  ): Promise<OperatorRecord | OperatorRefusal> {
    if (isAdminOfSites(rights)) return 'admin_of_sites';
    const add = async (
      lease: HeldLease,
      password_hash: string,
    ): Promise<OperatorRecord | OperatorRefusal> => {
      const environment_hash = by_environment ? password_hash : null;
      const added_by = origin.context.command_id;
      const existing = await this.operators.byEmail(email);
      // An earlier attempt of the same command added the operator, and its answer was lost.
      if (existing?.added_by === added_by) return existing;
      if (existing !== undefined) return 'email_taken';
      const details = { email, password_hash, environment_hash, added_by, ...rightsOf(rights) };
      const operator = this.operators.draft(details);
      const credential_sha256 = credentialsOf(operator).password_sha256;
      const named = { operator_id: operator._id, rights: rightsOf(rights), credential_sha256 };
      const command = { type: 'AddOperator', ...named } as const;
      await lease.demand();
      await this.commands.execute(new WriteOperator(operator._id, command, origin.context));
      const outcome = await lease.write({
        write: () => this.operators.insert(operator),
        undo: () => this.operators.undoInsert(operator),
      });
      return outcome === 'written' ? operator : 'email_taken';
    };
    return this.lease.enter(origin, async (hold) => {
      if (await this.#isGuessable(password, email, origin)) return 'password_guessable';
      const hash = await this.passwords.hash(password, origin.context.deadline);
      return hold((lease) => add(lease, hash));
    });
  }

  /** A change of the password or of rights ends the sessions. */
  async change(
    operator_id: string,
    { password, by_environment = false, ...changes }: OperatorChanges,
    origin: ChangeOrigin,
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
      if (before === undefined || !isInScopeOf(before, origin.author)) return 'operator_not_found';
      const email = changes.email ?? before.email;
      const after = { ...before, ...changes, email, email_key: emailKey(email), ...hashes };
      const refusal = await this.#refusalOf(before, after);
      if (refusal !== undefined) return refusal;
      return this.#replace(before, after, origin.context, lease);
    };
    return this.lease.enter(origin, async (hold) => {
      if (password === undefined) return hold(change);
      const email = changes.email ?? (await this.operators.byId(operator_id))?.email ?? '';
      if (await this.#isGuessable(password, email, origin)) return 'password_guessable';
      const hash = await this.passwords.hash(password, origin.context.deadline);
      return hold((lease) => change(lease, hash));
    });
  }

  async remove(operator_id: string, origin: ChangeOrigin): Promise<OperatorRefusal | undefined> {
    return this.lease.hold(origin, async (lease) => {
      const operator = await this.operators.byId(operator_id);
      if (operator === undefined || !isInScopeOf(operator, origin.author)) return 'operator_not_found';
      if (isActiveFullAdmin(operator) && (await this.#isLast(operator))) return 'last_admin';
      await lease.demand();
      await this.commands.execute(new WriteOperator(operator_id, { type: 'RemoveOperator' }, origin.context));
      await lease.demand();
      if ((await this.operators.remove(operator)) !== 'written') throw changedElsewhere();
      await this.sessions.endAllOf(operator_id);
      return undefined;
    });
  }

  /** Removes the second factor of an operator who has lost it. All sessions of that operator end. */
  async removeSecondFactor(
    operator_id: string,
    origin: ChangeOrigin,
  ): Promise<OperatorRecord | OperatorRefusal> {
    return this.lease.hold(origin, async (lease) => {
      const before = await this.operators.byId(operator_id);
      if (before === undefined || !isInScopeOf(before, origin.author)) return 'operator_not_found';
      if (before.second_factor === null) return before;
      await lease.demand();
      await this.commands.execute(
        new WriteOperator(operator_id, { type: 'RemoveSecondFactor' }, origin.context),
      );
      await lease.demand();
      const after = { ...before, second_factor: null, rights_version: before.rights_version + 1 };
      if ((await this.operators.replace(before, after)) !== 'written') throw changedElsewhere();
      await this.sessions.endAllOf(operator_id);
      return after;
    });
  }

  async #isGuessable(password: string, email: string, { author, context }: ChangeOrigin): Promise<boolean> {
    // The start of the service checks the environment's password. The command line makes strong ones.
    if (author === 'system') return false;
    return this.passwords.isGuessable(password, email, author.companies === null, context.deadline);
  }

  async #refusalOf(before: OperatorRecord, after: OperatorRecord): Promise<OperatorRefusal | undefined> {
    if (isAdminOfSites(after)) return 'admin_of_sites';
    if (isActiveFullAdmin(before) && !isActiveFullAdmin(after) && (await this.#isLast(before)))
      return 'last_admin';
    const owner = await this.operators.byEmail(after.email);
    return owner !== undefined && owner._id !== before._id ? 'email_taken' : undefined;
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
    await this.commands.execute(new WriteOperator(before._id, command, context));
    const ends = endsSessions([...details, ...differing(before, after)]);
    const changed = { ...after, rights_version: before.rights_version + (ends ? 1 : 0) };
    const outcome = await lease.write({
      write: () => this.operators.replace(before, changed),
      undo: () => this.operators.replace({ ...changed, version: before.version + 1 }, before),
    });
    if (outcome !== 'written') throw changedElsewhere();
    if (ends) await this.sessions.endAllOf(before._id);
    return changed;
  }

  async #isLast({ _id }: OperatorRecord): Promise<boolean> {
    return !(await this.operators.all()).some((one) => one._id !== _id && isActiveFullAdmin(one));
  }
}

/** True if the author may see all companies and sites of this operator. Other operators are not shown. */
export function isInScopeOf({ companies, sites }: Granted, author: Author): boolean {
  if (author === 'system' || author.companies === null) return true;
  const granted = [...(companies ?? []), ...(sites ?? []).map(({ company_id }) => company_id)];
  return companies !== null && granted.every((company_id) => isInScope(author, company_id));
}

export function changedElsewhere(): StoreUnavailableError {
  return new StoreUnavailableError('The operator is being changed by another process.', true);
}

function isActiveFullAdmin({ role, companies, sites, disabled }: OperatorRights): boolean {
  return role === 'admin' && companies === null && sites === null && !disabled;
}

/** Tokens, webhooks and pull sources, which admins manage, belong to a company as a whole. */
function isAdminOfSites({ role, sites }: OperatorRights): boolean {
  return role === 'admin' && sites !== null;
}
