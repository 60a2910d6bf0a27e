import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#kernel/clock.js';
import type { Environment } from '#kernel/environment/environment.js';
import type { Ids } from '#kernel/ids.js';
import { CLOCK, ENVIRONMENT, IDS } from '#kernel/injection-tokens.js';
import { errorOf } from '#kernel/errors/api-error.js';
import { isPossibleId } from '#kernel/possible-id.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import type { Browser } from './browser.js';
import type { OperatorCommand } from './core/operator.decide.js';
import { factsOf, newInvitation, operatorIn, opens } from './invitation.js';
import { type Invited, isInScopeOf, type OperatorRefusal } from './operator-administration.js';
import { OperatorWrites } from './operator-writes.js';
import { type ChangeOrigin, OperatorLease } from './operator-lease.js';
import { OperatorSessions } from './operator-sessions.js';
import { credentialsOf, type OperatorRecord, Operators } from './operators.js';
import { Passwords } from './passwords.js';
import { SignInLimits } from './sign-in-limits.js';

/** What a link is spent on: the event, and what it changes in the operator's record. */
export interface Spending {
  /** Its event must end the invitation. */
  readonly command: OperatorCommand;
  readonly changes: Partial<OperatorRecord>;
}

/**
 * Invitations: links by which operators set a password of their own (decisions §6). A link works once, for seven days, and
 * ends with every change of the operator.
 * Every method throws as `OperatorLease.hold` does, and WriteContendedError.
 */
@Injectable()
export class OperatorInvitations {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    private readonly lease: OperatorLease,
    private readonly operators: Operators,
    private readonly writes: OperatorWrites,
    private readonly sessions: OperatorSessions,
    private readonly passwords: Passwords,
    private readonly limits: SignInLimits,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'sign_on'>,
  ) {}

  /** Makes a new link. The one before does not work any more. A password that is set keeps working until the link is used. */
  renew(operator_id: string, origin: ChangeOrigin): Promise<Invited | OperatorRefusal> {
    return this.lease.hold(origin, async (lease) => {
      const before = await this.operators.byId(operator_id);
      if (before === undefined || !isInScopeOf(before, origin.author)) return 'operator_not_found';
      if (before.disabled) return 'operator_disabled';
      const { invitation, token } = newInvitation(operator_id, this.ids.secret(), this.clock.now());
      const command = { type: 'InviteOperator', invitation: factsOf(invitation) } as const;
      const after = { ...before, invitation };
      const operator = await this.writes.write({ before, after, command }, lease, origin.context);
      return { operator, token };
    });
  }

  /** Ends the open link, if there is one. */
  withdraw(operator_id: string, origin: ChangeOrigin): Promise<OperatorRecord | OperatorRefusal> {
    return this.lease.hold(origin, async (lease) => {
      const before = await this.operators.byId(operator_id);
      if (before === undefined || !isInScopeOf(before, origin.author)) return 'operator_not_found';
      if (before.invitation === null) return before;
      const after = { ...before, invitation: null };
      const command = { type: 'WithdrawInvitation' } as const;
      return this.writes.write({ before, after, command }, lease, origin.context);
    });
  }

  /**
   * The operator whom this link invites. The link still works afterwards.
   * @throws ApiError 404 for a link that was used, withdrawn or replaced, has expired or never was; 429 after too many of these
   */
  async read(token: string, { network, headers }: Browser): Promise<OperatorRecord> {
    const operator = await this.#invitedBy(token);
    // Others at the same address, who try wrong links, cannot keep the right one out.
    if (operator !== undefined) return operator;
    const counters = this.limits.countersOfInvitations(network);
    await this.limits.demand(counters, headers);
    await this.limits.countFailure(counters, headers);
    throw errorOf('invitation_invalid');
  }

  /**
   * Sets the password, and ends the link and every session of the operator.
   * @throws ApiError as `read` does; 403 where passwords are off
   */
  async acceptWithPassword(
    token: string,
    password: string,
    browser: Browser,
  ): Promise<OperatorRecord | 'password_guessable'> {
    const { email } = await this.read(token, browser);
    if (this.environment.sign_on?.only === true) throw errorOf('sign_on_required');
    const { deadline } = browser.context;
    if (await this.passwords.isGuessable(password, email, false, deadline)) return 'password_guessable';
    const password_hash = await this.passwords.hash(password, deadline);
    return this.spend(token, browser.context, (before) => {
      const changes = { password_hash, password_state: 'chosen' } as const;
      const { password_sha256 } = credentialsOf({ ...before, ...changes });
      return { command: { type: 'AcceptInvitation', credential_sha256: password_sha256 }, changes };
    });
  }

  /**
   * Uses a link for `spending`, once. Every session of the operator ends. If `spending` throws, the link still works.
   * @throws ApiError 404 if the link does not work any more
   */
  spend(
    token: string,
    given: WriteContext,
    spending: (before: OperatorRecord) => Spending | Promise<Spending>,
  ): Promise<OperatorRecord> {
    const context = { ...given, actor: { kind: 'operator', id: operatorIn(token) } } as const;
    return this.lease.hold({ author: 'system', context }, async (lease) => {
      const before = await this.#invitedBy(token);
      if (before === undefined) throw errorOf('invitation_invalid');
      const { command, changes } = await spending(before);
      const rights_version = before.rights_version + 1;
      const after = { ...before, ...changes, invitation: null, rights_version };
      const changed = await this.writes.write({ before, after, command }, lease, context);
      await this.sessions.endAllOf(before._id);
      return changed;
    });
  }

  async #invitedBy(token: string): Promise<OperatorRecord | undefined> {
    const operator_id = operatorIn(token);
    const operator = isPossibleId(operator_id) ? await this.operators.byId(operator_id) : undefined;
    if (operator === undefined || operator.disabled) return undefined;
    return opens(operator.invitation, token, this.clock.now()) ? operator : undefined;
  }
}
