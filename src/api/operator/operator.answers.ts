import { type ApiError, errorOf, invalidField, validationFailed } from '#kernel/errors/api-error.js';
import type { Fault } from '#kernel/errors/field-fault.js';
import { timestampOrNull, toTimestamp } from '#kernel/timestamp.js';
import { fieldFault } from '#web/validation/check.js';
import type { OperatorContext } from '#web/request-context.js';
import type { ChangeOrigin, OperatorRecord, OperatorRefusal } from '#domain/operators/index.js';

export const TOO_WEAK: Fault = { code: 'too_weak', text: 'must not be common or easily guessed.' };

/** The operator as the API shows it. */
export function operatorAnswer(operator: OperatorRecord) {
  const { _id, email, role, companies, sites, disabled, sign_on } = operator;
  const locations = sites?.map(({ location_id }) => location_id) ?? null;
  return {
    operator_id: _id,
    email,
    role,
    companies,
    locations,
    disabled,
    password: operator.password_state,
    invited_until: timestampOrNull(operator.invitation?.expires_at ?? null),
    sign_on: sign_on && { issuer: sign_on.issuer, linked_at: toTimestamp(sign_on.linked_at) },
    second_factor: operator.second_factor !== null,
    created_at: toTimestamp(operator.created_at),
  };
}

/** @param password the field that holds the new password @throws ApiError */
export function assertDone(
  outcome: OperatorRecord | OperatorRefusal,
  password: 'password' | 'next' = 'password',
): OperatorRecord {
  if (typeof outcome === 'string') throw refusedOperator(outcome, password);
  return outcome;
}

export function refusedOperator(refusal: OperatorRefusal, password = 'password'): ApiError {
  switch (refusal) {
    case 'operator_not_found':
    case 'operator_disabled':
    case 'last_admin':
      return errorOf(refusal);
    case 'email_taken':
      return invalidField('email', 'taken', 'The email has already been taken.');
    case 'admin_of_sites':
      return invalidField(
        'role',
        'unknown_value',
        'The role field must be auditor or manager for an operator of some locations.',
      );
    case 'password_guessable':
      return validationFailed([fieldFault(password, TOO_WEAK)]);
  }
}

export function originOf(context: OperatorContext): ChangeOrigin {
  return { author: context.principal, context };
}
