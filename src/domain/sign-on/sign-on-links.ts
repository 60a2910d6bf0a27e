import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#kernel/clock.js';
import type { Environment } from '#kernel/environment/environment.js';
import { ApiError } from '#kernel/errors/api-error.js';
import { CLOCK, ENVIRONMENT } from '#kernel/injection-tokens.js';
import type { HeldLease } from '#eventsourcing/documents/take-lease.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import {
  type ChangeOrigin,
  factsOfPerson,
  isInScopeOf,
  isLinked,
  OperatorAdministration,
  type OperatorChange,
  OperatorInvitations,
  OperatorLease,
  type OperatorRecord,
  type OperatorRefusal,
  Operators,
  OperatorSessions,
  OperatorWrites,
  type SignOnFacts,
} from '#domain/operators/index.js';
import type { ProvenPerson } from './identity-provider.js';
import { SignOnRefusedError } from './sign-on-refusal.js';

/** The reasons for which an admin's change of a link is refused. */
export type LinkRefusal = OperatorRefusal | 'subject_taken' | 'sign_on_off';

/**
 * Which person at the provider signs in as which operator. A person is linked to one operator at most. Every change of a link
 * leaves an event and ends the operator's sessions (decisions §6).
 * Every method throws as `OperatorLease.hold` does, and WriteContendedError.
 */
@Injectable()
export class SignOnLinks {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'sign_on'>,
    private readonly lease: OperatorLease,
    private readonly operators: Operators,
    private readonly administration: OperatorAdministration,
    private readonly invitations: OperatorInvitations,
    private readonly sessions: OperatorSessions,
    private readonly writes: OperatorWrites,
  ) {}

  /**
   * The operator as whom the person signs in. An invitation, or a verified e-mail where these link, makes the link.
   * @throws SignOnRefusedError
   */
  async findOrLink(
    person: ProvenPerson,
    invitation: string | undefined,
    context: WriteContext,
  ): Promise<OperatorRecord> {
    const facts = factsOfPerson(person.issuer, person.subject);
    if (invitation !== undefined) return this.#linkByInvitation(invitation, facts, context);
    const known = await this.operators.bySignOn(facts.subject_sha256);
    const operator = known ?? (await this.#linkByEmail(person, facts, context));
    if (operator.disabled) throw new SignOnRefusedError('disabled', operator._id);
    return operator;
  }

  /** Links the person whom an admin names. A link before ends. */
  link(operator_id: string, subject: string, origin: ChangeOrigin): Promise<OperatorRecord | LinkRefusal> {
    return this.lease.hold(origin, async (lease) => {
      const before = await this.operators.byId(operator_id);
      if (before === undefined || !isInScopeOf(before, origin.author)) return 'operator_not_found';
      const { sign_on } = this.environment;
      if (sign_on === undefined) return 'sign_on_off';
      const facts = factsOfPerson(sign_on.issuer, subject);
      const other = await this.operators.bySignOn(facts.subject_sha256);
      if (other !== undefined) return other._id === operator_id ? other : 'subject_taken';
      return this.#write(this.#linked(before, facts, 'admin'), lease, origin.context);
    });
  }

  /** The operator signs in with a password from now on, if there is one. */
  unlink(operator_id: string, origin: ChangeOrigin): Promise<OperatorRecord | LinkRefusal> {
    return this.lease.hold(origin, async (lease) => {
      const before = await this.operators.byId(operator_id);
      if (before === undefined || !isInScopeOf(before, origin.author)) return 'operator_not_found';
      if (before.sign_on === null) return before;
      const after = { ...before, sign_on: null };
      if (await this.administration.isLastAdmin(before, after)) return 'last_admin';
      return this.#write({ before, after, command: { type: 'UnlinkSignOn' } }, lease, origin.context);
    });
  }

  /** Notes that the operator signed on. An allowance of the command line to use a password ends by it. */
  async noteSignOn(
    operator: OperatorRecord,
    { person, has_factor }: { readonly person: ProvenPerson; readonly has_factor: boolean },
    context: WriteContext,
  ): Promise<OperatorRecord> {
    const { subject_sha256 } = factsOfPerson(person.issuer, person.subject);
    const command = { type: 'SignOn', subject_sha256, second_factor: has_factor } as const;
    if (!operator.password_allowed) {
      await this.writes.note(operator._id, command, context);
      return operator;
    }
    return this.lease.hold({ author: 'system', context }, async (lease) => {
      const before = (await this.operators.byId(operator._id)) ?? operator;
      const after = { ...before, password_allowed: false };
      return this.writes.write({ before, after, command }, lease, context);
    });
  }

  async #linkByInvitation(token: string, facts: SignOnFacts, context: WriteContext): Promise<OperatorRecord> {
    try {
      return await this.invitations.spend(token, context, async (before) => {
        const other = await this.operators.bySignOn(facts.subject_sha256);
        if (other !== undefined && other._id !== before._id)
          throw new SignOnRefusedError('belongs_to_other', before._id);
        const { command, after } = this.#linked(before, facts, 'invitation');
        return { command, changes: { sign_on: after.sign_on } };
      });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'invitation_invalid') throw error;
      throw new SignOnRefusedError('invitation_invalid');
    }
  }

  /** @throws SignOnRefusedError where the e-mail does not link */
  async #linkByEmail(
    { email }: ProvenPerson,
    facts: SignOnFacts,
    context: WriteContext,
  ): Promise<OperatorRecord> {
    const { sign_on } = this.environment;
    const operator =
      email && sign_on?.link_by_email ? await this.operators.byEmail(email.address) : undefined;
    if (email === null || operator === undefined) throw new SignOnRefusedError('unknown');
    if (!email.is_verified) throw new SignOnRefusedError('email_unverified', operator._id);
    const origin = { author: 'system', context: { ...context, actor: actorOf(operator) } } as const;
    return this.lease.hold(origin, async (lease) => {
      const before = await this.operators.byEmail(email.address);
      if (before === undefined) throw new SignOnRefusedError('unknown');
      if (before.disabled) throw new SignOnRefusedError('disabled', before._id);
      if (isLinked(before, sign_on)) throw new SignOnRefusedError('linked_to_other', before._id);
      return this.#write(this.#linked(before, facts, 'email'), lease, origin.context);
    });
  }

  #linked(before: OperatorRecord, facts: SignOnFacts, by: 'invitation' | 'admin' | 'email'): OperatorChange {
    const sign_on = { ...facts, linked_at: this.clock.now() };
    const command = { type: 'LinkSignOn', link: facts, by } as const;
    return { before, after: { ...before, sign_on, invitation: null }, command };
  }

  async #write(change: OperatorChange, lease: HeldLease, context: WriteContext): Promise<OperatorRecord> {
    const { before, after } = change;
    const rights_version = before.rights_version + 1;
    const changed = { ...change, after: { ...after, rights_version } };
    const written = await this.writes.write(changed, lease, context);
    await this.sessions.endAllOf(before._id);
    return written;
  }
}

function actorOf({ _id }: OperatorRecord) {
  return { kind: 'operator', id: _id } as const;
}
