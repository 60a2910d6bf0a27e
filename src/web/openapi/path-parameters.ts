const SCOPED = 'Of an operator with a scope, one within it; another is 404.';

/** Descriptions of path parameters, which have no DTO class. */
export const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  crm_unit_id: `The PMS's identifier of the unit, percent-encoded, or \`ulid:\` and the service's own \`unit_id\`.`,
  id: "The service's identifier of the lock or entry point.",
  company_id: `The company. ${SCOPED}`,
  location_id: `The location. ${SCOPED}`,
  pms_location_code: 'The code by which the PMS names the location.',
  unit_id: `The service's identifier of the unit. ${SCOPED}`,
  share_id: "The service's identifier of the share, from the invitation on.",
  tenant_id: `The service's identifier of the tenant's account. ${SCOPED}`,
  lock_id: `The service's identifier of the lock. ${SCOPED}`,
  entry_point_id: `The service's identifier of the gate, door or elevator. ${SCOPED}`,
  zone_id: `The service's identifier of the zone. ${SCOPED}`,
  pass_id: `The service's identifier of the pass. ${SCOPED}`,
  pull_source_id: `The service's identifier of the pull source. ${SCOPED}`,
  webhook_id: `The service's identifier of the webhook. ${SCOPED}`,
  delivery_id: `The service's identifier of the delivery. ${SCOPED}`,
  operator_id: "The service's identifier of the operator.",
  token_id: "The service's identifier of the API token.",
};
