export { CONTACT, REACHED } from './contact.schemas.js';
export { CLOSES_AT, ENTRY_POINT_REASON, OPENS_AT, UNIT_ENTRY_POINTS_SCHEMA } from './entry-point.schemas.js';
export {
  ACCESS_SCHEMA,
  checkOf,
  checksOf,
  DECIDED_SCHEMA,
  LOOKED_AT,
  LOOKED_AT_UNIT,
  POLICY_SCHEMA,
  REASON,
  STATE,
  UNIT_AS_OF_SCHEMA,
  POLICY_FIELDS,
  BALANCE_DUE,
  REASON_SCHEMA,
  EXPLAINED_UNIT_SCHEMA,
  UNIT_SCHEMA,
  EXPLAINED_ACCESS_SCHEMA,
  LOCATION_WITH_POLICY_SCHEMA,
  ACCESS_POLICY_SCHEMA,
  WRITTEN_ACCESS_SCHEMA,
} from './unit.schemas.js';
export { presentSandbox, SANDBOX_MEMBERS } from './company.presenter.js';
export { POLICY_EFFECT_SCHEMA } from './policy-effect.schemas.js';
export { FORECAST_SCHEMA } from './forecast.schemas.js';
