import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Clock } from '#kernel/clock.js';
import type { Environment } from '#kernel/environment/environment.js';
import type { Ids } from '#kernel/ids.js';
import { CLOCK, ENVIRONMENT, IDS } from '#kernel/injection-tokens.js';
import { isInScope } from '#kernel/principals.js';
import type { HeldLease } from '#eventsourcing/documents/take-lease.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import { differing, endsSessions, rightsOf } from './core/operator.decide.js';
import type { OperatorField, OperatorRights } from './core/operator.events.js';
import { factsOf, newInvitation } from './invitation.js';
import { changedElsewhere } from './operator-writes.js';
import { OperatorSessions } from './operator-sessions.js';
import { type ChangeOrigin, type Author, OperatorLease } from './operator-lease.js';
import { credentialsOf, emailKey, type OperatorRecord, Operators } from './operators.js';
import { Passwords } from './passwords.js';
import { canSignIn, type SignOnRules } from './sign-in-ways.js';
import { WriteOperator } from './write-operator.js';

export interface InvitedOperator extends OperatorRights {
  readonly email: string;
}

export interface NewOperator extends InvitedOperator {
  readonly password: string;
}

/** An operator with an open invitation. */
export interface Invited {
  readonly operator: OperatorRecord;
  /** Of the link. Null in the answer to a repeated command: it is shown only once. */
  readonly token: string | null;
}

/** The companies and sites that an operator was given. */
type Granted = Pick<OperatorRights, 'companies' | 'sites'>;

export interface OperatorChanges extends Partial<NewOperator> {
  /** True if the new password is the one that the environment names. */
  readonly by_environment?: boolean;
  /** True if the new password works although passwords are off, until the operator signs on. */
  readonly allows_password?: boolean;
}

/** Who made a password: the environment names it, the first start printed it, or another person or a command made it. */
type PasswordMaker = 'environment' | 'start' | 'other';

/** The reasons for which a change of an operator is refused. */
export type OperatorRefusal =
  | 'operator_not_found'
  | 'operator_disabled'
  | 'email_taken'
  | 'last_admin'
  | 'password_guessable'
  | 'admin_of_sites';

/**
 * Changes operators. A lease allows one change at a time over all processes, so one admin of all companies always remains
 * (decisions §6). New passwords are checked and hashed before the lease is taken, because that takes long. The author's rights
 * are checked again under the lease. The event is stored before the record.
 * Every method throws as `OperatorLease.hold` does, and WriteContendedError.
 */
@Injectable()
export class OperatorAdministration {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    private readonly lease: OperatorLease,
    private readonly operators: Operators,
    private readonly commands: CommandBus,
    private readonly sessions: OperatorSessions,
    private readonly passwords: Passwords,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'sign_on'>,
  ) {}

  /** Adds an operator with a password. */
  async add(
    { email, password, ...rights }: NewOperator,
    origin: ChangeOrigin,
    made_by: PasswordMaker = 'other',
  ): Promise<OperatorRecord | OperatorRefusal> {
    if (isAdminOfSites(rights)) return 'admin_of_sites';
    return this.lease.enter(origin, async (hold) => {
      if (await this.#isGuessable(password, email, origin)) return 'password_guessable';
      const password_hash = await this.passwords.hash(password, origin.context.deadline);
      const environment_hash = made_by === 'environment' ? password_hash : null;
      const password_state = made_by === 'other' ? 'given' : 'chosen';
      const details = {
        email,
        password_hash,
        password_state,
        environment_hash,
        ...rightsOf(rights),
      } as const;
      const added = await hold((lease) => this.#insert(lease, this.operators.draft(details), origin));
      return typeof added === 'string' ? added : added.operator;
    });
  }

  /** Adds an operator who sets the password with a link. */
  async invite(
    { email, ...rights }: InvitedOperator,
    origin: ChangeOrigin,
  ): Promise<Invited | OperatorRefusal> {
    if (isAdminOfSites(rights)) return 'admin_of_sites';
    if (rights.disabled) return 'operator_disabled';
    return this.lease.enter(origin, async (hold) => {
      // Older releases read the hash alone, so it is that of a password that nobody knows.
      const password_hash = await this.passwords.hash(this.ids.secret(), origin.context.deadline);
      const details = { email, password_hash, environment_hash: null, ...rightsOf(rights) };
      const drafted = this.operators.draft({ ...details, password_state: 'missing' });
      const { invitation, token } = newInvitation(drafted._id, this.ids.secret(), this.clock.now());
      const added = await hold((lease) => this.#insert(lease, { ...drafted, invitation }, origin));
      return typeof added === 'string' ? added : { ...added, token: added.isNew ? token : null };
    });
  }

  async #insert(
    lease: HeldLease,
    drafted: OperatorRecord,
    { context }: ChangeOrigin,
  ): Promise<{ readonly operator: OperatorRecord; readonly isNew: boolean } | OperatorRefusal> {
    const operator = { ...drafted, added_by: context.command_id };
    const existing = await this.operators.byEmail(operator.email);
    // An earlier attempt of the same command added the operator, and its answer was lost.
    if (existing?.added_by === context.command_id) return { operator: existing, isNew: false };
    if (existing !== undefined) return 'email_taken';
    const { _id: operator_id, invitation } = operator;
    const credential_sha256 = credentialsOf(operator).password_sha256;
    const named = { operator_id, rights: rightsOf(operator), credential_sha256 };
    const invited = invitation === null ? {} : { invitation: factsOf(invitation) };
    await lease.demand();
    await this.commands.execute(
      new WriteOperator(operator_id, { type: 'AddOperator', ...named, ...invited }, context),
    );
    const outcome = await lease.write({
      write: () => this.operators.insert(operator),
      undo: () => this.operators.undoInsert(operator),
    });
    return outcome === 'written' ? { operator, isNew: true } : 'email_taken';
  }

  /** A change of the password or of rights ends the sessions. */
  async change(
    operator_id: string,
    { password, by_environment = false, allows_password = false, ...changes }: OperatorChanges,
    origin: ChangeOrigin,
  ): Promise<OperatorRecord | OperatorRefusal> {
    const isTheirs = origin.author !== 'system' && origin.author.id === operator_id;
    const change = async (
      lease: HeldLease,
      password_hash?: string,
    ): Promise<OperatorRecord | OperatorRefusal> => {
      const before = await this.operators.byId(operator_id);
      // An operator of sites sees no operator, and changes the own password.
      if (before === undefined || !(isTheirs || isInScopeOf(before, origin.author)))
        return 'operator_not_found';
      const email = changes.email ?? before.email;
      const hashes = password_hash === undefined ? {} : credentials(password_hash);
      const after = { ...before, ...changes, email, email_key: emailKey(email), ...hashes };
      const refusal = await this.#refusalOf(before, after);
      if (refusal !== undefined) return refusal;
      return this.#replace(before, after, origin.context, lease);
    };
    const credentials = (password_hash: string): Partial<OperatorRecord> => {
      return {
        password_hash,
        password_state: isTheirs || by_environment ? 'chosen' : 'given',
        ...(by_environment && { environment_hash: password_hash }),
        ...(allows_password && { password_allowed: true }),
      };
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
      if (await this.isLastAdmin(operator, undefined)) return 'last_admin';
      await lease.demand();
      await this.commands.execute(new WriteOperator(operator_id, { type: 'RemoveOperator' }, origin.context));
      await lease.demand();
      if ((await this.operators.remove(operator)) !== 'written') throw changedElsewhere();
      await this.sessions.endAllOf(operator_id);
      await this.sessions.forget(operator_id);
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

  /** Signs an operator out everywhere. */
  async endSessions(operator_id: string, origin: ChangeOrigin): Promise<OperatorRecord | OperatorRefusal> {
    return this.lease.hold(origin, async (lease) => {
      const before = await this.operators.byId(operator_id);
      if (before === undefined || !isInScopeOf(before, origin.author)) return 'operator_not_found';
      await lease.demand();
      await this.commands.execute(new WriteOperator(operator_id, { type: 'EndSessions' }, origin.context));
      await lease.demand();
      const after = { ...before, rights_version: before.rights_version + 1 };
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
    if (await this.isLastAdmin(before, after)) return 'last_admin';
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
    const rights = rightsOf(after);
    const allows_password = after.password_allowed && !before.password_allowed;
    const command = { type: 'ChangeOperator', rights, details, credential_sha256, allows_password } as const;
    await this.commands.execute(new WriteOperator(before._id, command, context));
    const fields = [...details, ...differing(before, after)];
    const ends = endsSessions(fields);
    const invitation = fields.length === 0 ? before.invitation : null;
    const changed = { ...after, invitation, rights_version: before.rights_version + (ends ? 1 : 0) };
    const outcome = await lease.write({
      write: () => this.operators.replace(before, changed),
      undo: () => this.operators.replace({ ...changed, version: before.version + 1 }, before),
    });
    if (outcome !== 'written') throw changedElsewhere();
    if (ends) await this.sessions.endAllOf(before._id);
    return changed;
  }

  /**
   * Whether this is the last admin of all companies who can sign in, and would not be any more. Call it under the lease.
   * @param after the operator after the change; undefined: is removed
   */
  async isLastAdmin(before: OperatorRecord, after: OperatorRecord | undefined): Promise<boolean> {
    const rules = this.environment.sign_on;
    if (!isActiveFullAdmin(before, rules)) return false;
    if (after !== undefined && isActiveFullAdmin(after, rules)) return false;
    return !(await this.operators.all()).some(
      (one) => one._id !== before._id && isActiveFullAdmin(one, rules),
    );
  }

  /**
   * Whether passwords are off, and no admin of all companies can sign in or be linked without the command line.
   * @throws StoreUnavailableError
   */
  async areAdminsLockedOut(): Promise<boolean> {
    const rules = this.environment.sign_on;
    if (rules?.only !== true) return false;
    const now = this.clock.now();
    return !(await this.operators.all()).some((one) => {
      const isAwaited = rules.link_by_email || (one.invitation !== null && now < one.invitation.expires_at);
      return isFullAdmin(one) && !one.disabled && (isAwaited || canSignIn(one, rules));
    });
  }
}

/** True if the author may see all companies and sites of this operator. Other operators are not shown. */
export function isInScopeOf({ companies, sites }: Granted, author: Author): boolean {
  if (author === 'system' || author.companies === null) return true;
  const granted = [...(companies ?? []), ...(sites ?? []).map(({ company_id }) => company_id)];
  return companies !== null && granted.every((company_id) => isInScope(author, company_id));
}

/** An admin who cannot sign in could not help when the others are gone. */
function isActiveFullAdmin(operator: OperatorRecord, rules: SignOnRules): boolean {
  return isFullAdmin(operator) && canSignIn(operator, rules);
}

function isFullAdmin({ role, companies, sites }: OperatorRights): boolean {
  return role === 'admin' && companies === null && sites === null;
}

/** Tokens, webhooks and pull sources, which admins manage, belong to a company as a whole. */
function isAdminOfSites({ role, sites }: OperatorRights): boolean {
  return role === 'admin' && sites !== null;
}
