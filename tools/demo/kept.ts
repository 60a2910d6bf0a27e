import { PHONE } from './acts/open-the-door.js';
import type { RunningService } from './service-process.js';
import type { Facility } from './stage.js';

/** Addresses and credentials for a reader who wants to use the facility after the demonstration. */
export function keptLines(
  { url, operator, outbox }: Pick<RunningService, 'url' | 'operator' | 'outbox'>,
  facility: Facility,
  app: string,
): string[] {
  return [
    'The facility stays until you press Ctrl-C.',
    `  Dashboard   ${url}/dashboard`,
    `  Sign in as  ${operator.email}`,
    `  Password    ${operator.password}`,
    `  App         ${app}`,
    `  Tenant      +${PHONE.country_code} ${PHONE.phone_number}; the code: tail -1 ${outbox}`,
    `  API         ${url}/docs`,
    `  Token       ${facility.api_token}`,
    `  To try      curl -sS "${url}/api/v2/units?state=tenant_denied" -H "Authorization: Bearer ${facility.api_token}"`,
  ];
}
