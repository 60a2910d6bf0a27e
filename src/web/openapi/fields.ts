import { TOKEN_SCOPES } from '#kernel/principals.js';
import { flag, id, instant, nullable, oneOf, says, text, whole } from './schemas.js';

/*
 * Fields with the same meaning in several answers, for use as `object({ unit_id, unit_name })`. Fields of only one answer
 * are declared there.
 */

export const unit_id = says("The service's identifier of the unit: 26 characters, never reused.", id);
export const crm_unit_id = says('The identifier that the PMS gave the unit.', text);
export const unit_name = says('The name that people read. An operator may change it.', text);
export const company_id = says("The service's identifier of the company.", id);
export const location_id = says("The service's identifier of the location.", id);
export const pms_location_code = says(
  'The code by which the PMS names the location. Unique within the company.',
  text,
);
export const tenant_id = says("The service's identifier of the tenant's account at one location.", id);
export const lock_id = says("The service's identifier of the lock.", id);
export const entry_point_id = says("The service's identifier of the gate, door or elevator.", id);
export const pass_id = says("The service's identifier of the pass.", id);
export const zone_id = says("The service's identifier of the zone.", id);
export const token_id = says("The service's identifier of the API token.", id);
export const pull_source_id = says("The service's identifier of the pull source.", id);

export const name = says('The name that people read.', text);
export const timezone = says('IANA time zone. Days begin and end in it. Default `UTC`.', text);
export const currency = says('ISO 4217. Amounts of the location are in it. Default `USD`.', text);
export const key_format = says('The format of keys that it knows, 1 or 3, see docs/locks.md.', whole);
export const serial = says("The maker's serial number. Null if it is not known.", nullable(text));
export const kind = says(
  '`gate`, `door` or `elevator`. It never changes.',
  oneOf(['gate', 'door', 'elevator']),
);
export const phone = says(
  'International format with a leading +. Null if it is not known or was erased.',
  nullable(text),
);
export const email = says('E-mail address. Null if it is not known or was erased.', nullable(text));

export const created_at = says('Instant of creation.', instant);
export const applied_at = says('Instant at which the write took effect.', instant);
export const last_accessed_at = says(
  'Instant of the last successful unlock. It never moves back. Null if there is none.',
  nullable(instant),
);
export const revision = says(
  'Number of the latest event in the stream, from 0. It grows with every event.',
  whole,
);
export const dry_run = says('True if nothing was written. Present only for a dry run.', flag);

export const API_TOKEN = {
  token_id,
  name,
  scope: says('`write`, or `read` for a token that may only read.', oneOf(TOKEN_SCOPES)),
  created_at,
  expires_at: says('Instant at which it ends. Null if it never does.', nullable(instant)),
};
