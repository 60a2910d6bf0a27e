import { Module } from '@nestjs/common';
import { SecretBox } from '#kernel/secret-box.js';
import { FirstOperator } from './first-operator.js';
import { KeptTexts } from './kept-texts.js';
import { OperatorAdministration } from './operator-administration.js';
import { OperatorDevices } from './operator-devices.js';
import { OperatorInvitations } from './operator-invitations.js';
import { OperatorLease } from './operator-lease.js';
import { OperatorLogin } from './operator-login.js';
import { OperatorSessions } from './operator-sessions.js';
import { OperatorWrites } from './operator-writes.js';
import { Operators } from './operators.js';
import { Passwords } from './passwords.js';
import { OPERATOR_SECRETS_KEY, SecondFactors } from './second-factors.js';
import { SignInLimits } from './sign-in-limits.js';
import { WriteOperatorHandler } from './write-operator.js';

/** The providers that other modules inject. */
const SHARED = [
  FirstOperator,
  KeptTexts,
  OperatorAdministration,
  OperatorInvitations,
  OperatorLease,
  OperatorLogin,
  OperatorSessions,
  OperatorWrites,
  Operators,
  Passwords,
  SecondFactors,
];

/**
 * Operators, their rights and their sessions. Global modules must provide CLOCK, IDS, RECORDS, ENVIRONMENT,
 * OPERATOR_SECRETS_KEY and RateLimits.
 */
@Module({
  providers: [
    ...SHARED,
    OperatorDevices,
    SignInLimits,
    WriteOperatorHandler,
    { provide: SecretBox, useFactory: (key: Buffer) => new SecretBox(key), inject: [OPERATOR_SECRETS_KEY] },
  ],
  exports: SHARED,
})
export class OperatorsModule {}
