interface CodedError {
  readonly status: number;
  /** The message in the API. If the text varies, this is one example. */
  readonly message: string;
}

/**
 * Every `code` of an error (decisions §2). Clients match codes, so never rename one. OpenAPI lists them.
 */
export const ERRORS = {
  malformed_json: { status: 400, message: 'Malformed JSON.' },
  invalid_request: { status: 400, message: 'Invalid request structure.' },
  unauthorized: { status: 401, message: 'Unauthorized.' },
  code_required: { status: 401, message: 'Enter the code of the second factor.' },
  code_invalid: { status: 401, message: 'The code is wrong or was used before.' },
  forbidden: { status: 403, message: 'Forbidden.' },
  no_access_then: { status: 403, message: 'Forbidden.' },
  second_factor_required: { status: 403, message: 'Set a second factor first.' },
  not_found: { status: 404, message: 'Not found.' },
  unit_not_found: { status: 404, message: 'Unit not found.' },
  company_not_found: { status: 404, message: 'Company not found.' },
  location_not_found: { status: 404, message: 'Location not found.' },
  zone_not_found: { status: 404, message: 'Zone not found.' },
  entry_point_not_found: { status: 404, message: 'Entry point not found.' },
  lock_not_found: { status: 404, message: 'Lock not found.' },
  tenant_not_found: { status: 404, message: 'Tenant not found.' },
  operator_not_found: { status: 404, message: 'Operator not found.' },
  api_token_not_found: { status: 404, message: 'API token not found.' },
  pull_source_not_found: { status: 404, message: 'Pull source not found.' },
  webhook_not_found: { status: 404, message: 'Webhook not found.' },
  delivery_not_found: { status: 404, message: 'Delivery not found.' },
  method_not_allowed: { status: 405, message: 'Method not allowed.' },
  request_timeout: { status: 408, message: 'Request timeout.' },
  idempotency_key_reused: { status: 409, message: 'Idempotency-Key reused with a different request.' },
  client_log_id_reused: { status: 409, message: 'client_log_id reused with a different report.' },
  unit_managed_elsewhere: {
    status: 409,
    message: 'This unit is managed by a pull-mode PMS integration. Please contact support.',
  },
  unit_occupied: { status: 409, message: 'The unit is occupied.' },
  unit_retired: { status: 409, message: 'The unit is retired.' },
  not_a_sandbox: { status: 409, message: 'The company is not a sandbox. Its clock cannot be set.' },
  webhook_disabled: { status: 409, message: 'The webhook is off.' },
  last_admin: { status: 409, message: 'There must be an admin of all companies.' },
  second_factor_exists: { status: 409, message: 'A second factor is set. Remove it first.' },
  own_second_factor: {
    status: 409,
    message: 'This is your own second factor. Remove it under your account, with a code.',
  },
  lock_on_another_unit: { status: 409, message: 'The lock is attached to another unit.' },
  lock_in_use: { status: 409, message: 'The lock is on a unit.' },
  zone_in_use: { status: 409, message: 'The zone has units, or an entry point leads to it.' },
  entry_point_in_use: { status: 409, message: 'The entry point is in service, and its zones have units.' },
  hours_changed: { status: 409, message: 'The hours were changed meanwhile. Nothing was saved.' },
  history_damaged: { status: 409, message: 'The stored history is damaged, so nothing was changed.' },
  payload_too_large: { status: 413, message: 'Payload too large.' },
  unsupported_media_type: { status: 415, message: 'Unsupported media type.' },
  expectation_failed: { status: 417, message: 'Expectation failed.' },
  validation_failed: { status: 422, message: 'Validation failed.' },
  position_unknown: { status: 422, message: 'Validation failed.' },
  phone_unknown: { status: 422, message: 'A tenant with the submitted phone number does not exist.' },
  otp_invalid: { status: 422, message: 'The OTP code is invalid or has expired.' },
  second_factor_invalid: { status: 422, message: 'The code is wrong, or the setup has expired.' },
  unit_not_occupied: { status: 422, message: 'The unit is not occupied.' },
  rate_limited: { status: 429, message: 'Too many attempts. Please try again in 60 seconds.' },
  headers_too_large: { status: 431, message: 'Request header fields too large.' },
  server_error: { status: 500, message: 'Server error.' },
  not_implemented: { status: 501, message: 'Not implemented.' },
  store_unavailable: { status: 503, message: 'Service unavailable.' },
  starting: { status: 503, message: 'Service unavailable.' },
  shutting_down: { status: 503, message: 'Service unavailable.' },
  sms_unavailable: { status: 503, message: 'Service unavailable.' },
  request_in_progress: {
    status: 503,
    message: 'The first request with this Idempotency-Key is still running.',
  },
  not_ready: { status: 503, message: 'Not ready.' },
} as const satisfies Readonly<Record<string, CodedError>>;

export type ErrorCode = keyof typeof ERRORS;

/** Advice for the client, by code. */
export const FIXES: Readonly<Record<ErrorCode, string>> = {
  malformed_json: 'Correct the body: it does not parse, or is not UTF-8.',
  invalid_request:
    'Send a JSON object of at most 64 levels and 50,000 values, a well encoded path and a `Host`.',
  unauthorized:
    'Send a valid token of the right kind, or sign in again. At a login check e-mail and password.',
  code_required: 'The password is right. Send it again with `code`.',
  code_invalid: 'Wait for the next code, or send an unused recovery code.',
  forbidden: 'Do not retry. The operator’s role does not allow this, or the API token may only read.',
  no_access_then: 'Do not retry: the tenant had no access at that instant.',
  second_factor_required: 'Set a second factor under `/api/operator/session/second-factor`.',
  not_found: 'Correct the path. Encode a `/` in `{crm_unit_id}`.',
  unit_not_found:
    'Correct the identifier. A `crm_unit_id` is looked up at all locations of the token’s company. A move-in or a bulk with a new one makes the unit.',
  company_not_found: 'Correct the identifier.',
  location_not_found: 'Correct the identifier: it is `location_id`, not `pms_location_code`.',
  zone_not_found: 'Correct the identifier.',
  entry_point_not_found: 'Correct the identifier, and refresh the app’s access.',
  lock_not_found: 'Correct the identifier, and refresh the app’s access.',
  tenant_not_found: 'Correct the identifier: it is the `tenant_id` of a tenant of the unit’s company.',
  operator_not_found: 'The operator was removed, or belongs to companies that are not yours.',
  api_token_not_found: 'The token belongs to another company, or is gone.',
  pull_source_not_found: 'Correct the identifier: it is `pull_source_id`.',
  webhook_not_found: 'Correct the identifier: it is `webhook_id`.',
  delivery_not_found: 'Correct the identifier. A delivery is kept for 30 days after it ended.',
  method_not_allowed: 'Use a method that `Allow` names.',
  request_timeout: 'Send the whole request within 30 seconds.',
  idempotency_key_reused: 'Take a fresh key for each operation. Do not retry.',
  client_log_id_reused: 'Take a fresh `client_log_id` for each report.',
  unit_managed_elsewhere: 'Do not retry: another source owns the unit. Change it there.',
  unit_occupied: 'Move the tenant out before you retire the unit.',
  unit_retired: 'Revive it first: `DELETE …/retired`.',
  not_a_sandbox: 'Register a company with `sandbox: true`.',
  webhook_disabled: 'Switch it on first: `PATCH` with `enabled: true`.',
  last_admin: 'Make another operator an admin of all companies first.',
  second_factor_exists: 'Remove it, then set a new one.',
  own_second_factor: 'Remove your own with password and code.',
  lock_on_another_unit: 'Detach it there first.',
  lock_in_use: 'Take it off the unit first, or replace it there.',
  zone_in_use: 'Take its units out, and lead its entry points elsewhere first.',
  entry_point_in_use: 'Take it out of service first.',
  hours_changed: 'Read the hours again, then make the change from them.',
  history_damaged: 'Do not retry. Tell the operator: the log of the service names what is damaged.',
  payload_too_large: 'Stay below 2 MB, and below 8 KB on a route without a credential. Split the bulk.',
  unsupported_media_type:
    'Send the header `Content-Type: application/json`. A route without a credential takes no compressed body.',
  expectation_failed: 'Send no `Expect` other than `100-continue`.',
  validation_failed: 'Correct what `errors` and `details` name. The same request will be refused again.',
  position_unknown:
    'The log ends before this position, as after a restore. Compare your units with `POST /api/v2/units/compare`, then begin with `after=latest`.',
  phone_unknown: 'Have the PMS or the operator record the phone.',
  otp_invalid: 'Enter it again, or ask for another code. Only the newest counts.',
  second_factor_invalid: 'Enter the code that the authenticator shows now. After 10 minutes begin again.',
  unit_not_occupied: 'Move a tenant in before the unit is shared.',
  rate_limited: 'Wait for `Retry-After`, then send it again, one request after the other.',
  headers_too_large: 'Send fewer or shorter headers.',
  server_error: 'Send it again with the same `Idempotency-Key`, and report the `X-Request-Id`.',
  not_implemented:
    'An admin adds webhooks on the company’s API page in the dashboard. Or follow `GET /api/v2/events`.',
  store_unavailable: 'Send it again after `Retry-After`, a write with the same `Idempotency-Key`.',
  starting: 'Send it again after `Retry-After`: the process has just started.',
  shutting_down: 'Send it again after `Retry-After`: the process is ending.',
  sms_unavailable: 'The code could not be sent. Ask again after `Retry-After`.',
  request_in_progress: 'Send it again after `Retry-After`: you get the answer of the first request.',
  not_ready: 'Look at `dependencies`.',
};

export type CodeOf<Status extends number> = {
  [Code in ErrorCode]: (typeof ERRORS)[Code]['status'] extends Status ? Code : never;
}[ErrorCode];
