interface CodedError {
  readonly status: number;
  /** As the interface words it; where the text names what differs from case to case, one of them. */
  readonly message: string;
}

/**
 * Every `code` that an error can carry (decisions §2): what clients match, so none is ever renamed. `ApiError` takes no other,
 * and OpenAPI lists these.
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
  not_a_sandbox: { status: 409, message: 'The company is not a sandbox: its clock cannot be set.' },
  last_admin: { status: 409, message: 'There must be an admin of all companies.' },
  second_factor_exists: { status: 409, message: 'A second factor is set. Remove it first.' },
  own_second_factor: {
    status: 409,
    message: 'This is your own second factor. Remove it under your account, with a code.',
  },
  lock_on_another_unit: { status: 409, message: 'The lock is attached to another unit.' },
  payload_too_large: { status: 413, message: 'Payload too large.' },
  unsupported_media_type: { status: 415, message: 'Unsupported media type.' },
  expectation_failed: { status: 417, message: 'Expectation failed.' },
  validation_failed: { status: 422, message: 'Validation failed.' },
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

/** The codes of one status. */
export type CodeOf<Status extends number> = {
  [Code in ErrorCode]: (typeof ERRORS)[Code]['status'] extends Status ? Code : never;
}[ErrorCode];
