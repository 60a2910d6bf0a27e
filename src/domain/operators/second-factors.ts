import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Clock } from '#kernel/clock.js';
import type { Ids } from '#kernel/ids.js';
import { hashOf } from '#kernel/credential-hash.js';
import { CLOCK, IDS } from '#kernel/injection-tokens.js';
import { SecretBox } from '#kernel/secret-box.js';
import type { HeldLease } from '#eventsourcing/documents/take-lease.js';
import { errorOf, unauthorized } from '#kernel/errors/api-error.js';
import type { OperatorPrincipal } from '#kernel/principals.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import { KeyedMutex } from '#kernel/keyed-mutex.js';
import type { OperatorCommand } from './core/operator.decide.js';
import { type CodeMeaning, inGroups, plainCode, type SecondFactor, useCode } from './core/second-factor.js';
import { changedElsewhere } from './operator-writes.js';
import { OperatorLease } from './operator-lease.js';
import { OperatorSessions } from './operator-sessions.js';
import { credentialsOf, type OperatorRecord, Operators } from './operators.js';
import { SignInLimits } from './sign-in-limits.js';
import { base32Of, stepOf, totpUri } from './totp.js';
import { WriteOperator } from './write-operator.js';

/** The key that encrypts operators' secrets (`Buffer` of 32 bytes), derived from the master secret. */
export const OPERATOR_SECRETS_KEY = Symbol('OperatorSecretsKey');

const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;
const SETUP_LIFETIME_MS = 10 * 60 * 1000;
const TOTP_CODE = /^\d{6}$/;

export interface SecondFactorSetup {
  /** Encrypted secret and end of the set-up. `set` takes it with the first code. */
  readonly setup: string;
  /** Base32, for the authenticator. */
  readonly secret: string;
  readonly uri: string;
  /** Milliseconds. */
  readonly expires_at: number;
}

/** A write of the operator who has signed in. */
type SignedInContext = WriteContext & { readonly principal: OperatorPrincipal };

/** The reasons for which a change of the second factor is refused. */
export type SecondFactorRefusal = 'second_factor_exists' | 'second_factor_invalid';

/**
 * The operators' second factors (TOTP, RFC 6238, with recovery codes). The secret is stored encrypted, recovery codes
 * hashed. Every change ends the operator's other sessions (decisions §6).
 * Every asynchronous method throws StoreUnavailableError and WriteContendedError.
 */
@Injectable()
export class SecondFactors {
  readonly #tries = new KeyedMutex();

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    private readonly box: SecretBox,
    private readonly lease: OperatorLease,
    private readonly operators: Operators,
    private readonly commands: CommandBus,
    private readonly sessions: OperatorSessions,
    private readonly limits: SignInLimits,
  ) {}

  /** Makes a new secret. Nothing is stored before `set`. */
  begin(operator: OperatorRecord): SecondFactorSetup {
    const secret = base32Of(this.#randomBytes(SECRET_BYTES));
    const expires_at = this.clock.now() + SETUP_LIFETIME_MS;
    const setup = this.box.seal(JSON.stringify({ secret, expires_at }), setupOwner(operator));
    return { setup, secret, uri: totpUri(secret, operator.email), expires_at };
  }

  /** Reads the `setup` of `begin`. Undefined if it has expired, or the operator's rights or password have changed since. */
  resume(operator: OperatorRecord, setup: string): SecondFactorSetup | undefined {
    const opened = this.box.open(setup, setupOwner(operator));
    if (opened === undefined) return undefined;
    const { secret, expires_at } = JSON.parse(opened) as Pick<SecondFactorSetup, 'secret' | 'expires_at'>;
    if (expires_at <= this.clock.now()) return undefined;
    return { setup, secret, uri: totpUri(secret, operator.email), expires_at };
  }

  /**
   * Sets the second factor of the signed-in operator. @param token of the session in use, which goes on
   * @returns the recovery codes, which are shown only here
   */
  set(
    { setup, code }: { readonly setup: string; readonly code: string },
    context: SignedInContext,
    token: string,
  ): Promise<readonly string[] | SecondFactorRefusal> {
    return this.lease.hold({ author: context.principal, context }, async (lease) => {
      const before = await this.operators.assertRights(context.principal);
      if (before.second_factor !== null) return 'second_factor_exists';
      const secret = this.resume(before, setup)?.secret;
      const step = secret === undefined ? undefined : stepOf(secret, plainCode(code), this.clock.now());
      if (secret === undefined || step === undefined) return 'second_factor_invalid';
      const codes = Array.from({ length: RECOVERY_CODES }, () => base32Of(this.#randomBytes(RECOVERY_BYTES)));
      const factor: SecondFactor = {
        sealed_secret: this.box.seal(secret, before._id),
        last_step: step,
        recovery_hashes: codes.map(hashOf),
      };
      const command = { type: 'SetSecondFactor', credential_sha256: sha256Of(factor) } as const;
      const after = await this.#change(before, factor, command, { lease, context });
      await this.sessions.endOthers(token, after);
      return codes.map(inGroups);
    });
  }

  /** Removes the signed-in operator's second factor. @param token of the session in use, which goes on. @throws ApiError 429 */
  async remove(
    code: string,
    context: SignedInContext,
    token: string,
  ): Promise<SecondFactorRefusal | undefined> {
    const operator = await this.operators.assertRights(context.principal);
    if (operator.second_factor === null) return undefined;
    if (!(await this.#isRight(operator, code, `own ${operator._id}`))) return 'second_factor_invalid';
    return this.lease.hold({ author: context.principal, context }, async (lease) => {
      const before = await this.operators.assertRights(context.principal);
      if (this.#used(before, code) === undefined) return 'second_factor_invalid';
      const after = await this.#change(before, null, { type: 'RemoveSecondFactor' }, { lease, context });
      await this.sessions.endOthers(token, after);
      return undefined;
    });
  }

  /**
   * Uses a code at sign-in, once. A recovery code ends all sessions.
   * @param who the device or operator whose wrong codes are counted together
   * @returns the operator as it is stored now
   * @throws ApiError 401 if the code is missing, wrong or was used before, or the operator has changed; 429
   */
  async pass(
    operator: OperatorRecord,
    code: string | undefined,
    who: string,
    context: WriteContext,
  ): Promise<OperatorRecord> {
    if (operator.second_factor === null) return operator;
    if (code === undefined || plainCode(code) === '') throw errorOf('code_required');
    if (!(await this.#isRight(operator, code, who))) throw errorOf('code_invalid');
    return this.lease.hold({ author: 'system', context }, async (lease) => {
      const before = await this.operators.byId(operator._id);
      if (before === undefined || before.rights_version !== operator.rights_version) throw unauthorized();
      const factor = this.#used(before, code);
      if (factor === undefined) throw errorOf('code_invalid');
      const codes_left = factor.recovery_hashes.length;
      if (codes_left === before.second_factor!.recovery_hashes.length)
        return this.#replace(before, { ...before, second_factor: factor }, lease);
      const credential_sha256 = sha256Of(factor);
      const command = { type: 'UseRecoveryCode', codes_left, credential_sha256 } as const;
      const after = await this.#change(before, factor, command, { lease, context });
      await this.sessions.endAllOf(after._id);
      return after;
    });
  }

  /**
   * Whether a code of the authenticator is right. Uses it, once. A recovery code is for sign-in alone.
   * @throws ApiError 429 after too many wrong codes
   */
  async prove(operator: OperatorRecord, code: string, context: SignedInContext): Promise<boolean> {
    if (!(await this.#isRight(operator, code, `own ${operator._id}`))) return false;
    return this.lease.hold({ author: context.principal, context }, async (lease) => {
      const before = await this.operators.assertRights(context.principal);
      const factor = TOTP_CODE.test(plainCode(code)) ? this.#used(before, code) : undefined;
      if (factor === undefined) return false;
      await this.#replace(before, { ...before, second_factor: factor }, lease);
      return true;
    });
  }

  /** Attempts with the same `who` run one after the other. Wrong ones are counted. @throws ApiError 429 after too many */
  #isRight(operator: OperatorRecord, code: string, who: string): Promise<boolean> {
    const counters = this.limits.countersOfCodes(who);
    return this.#tries.run([who], async () => {
      await this.limits.demand(counters);
      if (this.#used(operator, code) !== undefined) return true;
      await this.limits.countFailure(counters);
      return false;
    });
  }

  /** The operator's factor after this code; undefined if the code is wrong or was used before. */
  #used({ _id, second_factor: factor }: OperatorRecord, code: string): SecondFactor | undefined {
    return factor === null ? undefined : useCode(factor, this.#meaningOf(plainCode(code), factor, _id));
  }

  #meaningOf(code: string, { sealed_secret }: SecondFactor, operator_id: string): CodeMeaning {
    if (!TOTP_CODE.test(code)) return { recovery_hash: hashOf(code) };
    const secret = this.box.open(sealed_secret, operator_id);
    return { step: secret === undefined ? undefined : stepOf(secret, code, this.clock.now()) };
  }

  async #change(
    before: OperatorRecord,
    second_factor: SecondFactor | null,
    command: OperatorCommand,
    { lease, context }: { readonly lease: HeldLease; readonly context: WriteContext },
  ): Promise<OperatorRecord> {
    await lease.demand();
    await this.commands.execute(new WriteOperator(before._id, command, context));
    const rights_version = before.rights_version + 1;
    return this.#replace(before, { ...before, second_factor, rights_version }, lease);
  }

  async #replace(before: OperatorRecord, after: OperatorRecord, lease: HeldLease): Promise<OperatorRecord> {
    await lease.demand();
    if ((await this.operators.replace(before, after)) !== 'written') throw changedElsewhere();
    return after;
  }

  #randomBytes(length: number): Buffer {
    return Buffer.from(this.ids.secret(), 'base64url').subarray(0, length);
  }
}

function setupOwner({ _id, rights_version }: OperatorRecord): string {
  return `second factor of ${_id} ${rights_version}`;
}

function sha256Of(second_factor: SecondFactor): string {
  return credentialsOf({ password_hash: '', second_factor, invitation: null, sign_on: null }).factor_sha256!;
}
