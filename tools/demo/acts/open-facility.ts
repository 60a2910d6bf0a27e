import type { StorageAccessClient } from 'storage-access-client';
import { LOCATION_CODE, type Facility, type Stage, type Telling, TIMEZONE } from '../stage.js';
import { shortened } from '../format.js';

/** The operator signs in, and makes a company, a location, zones and a gate. */
export async function openFacility(stage: Stage): Promise<Facility> {
  const { narrator, service } = stage;
  await narrator.chapter('Opening day');
  await narrator.says(
    'The first start made an operator and printed a password. With it, the operator signs in.',
  );
  const session = await stage.ask(
    stage.caller(),
    ['POST', '/api/operator/sessions'],
    { body: service.operator },
    { status: 201, note: service.operator.email },
  );
  const operator = stage.caller(session.data.token);
  const { company_id, api_token } = await registerCompany(stage, operator);
  const place = await describePlace(stage, operator, company_id);
  return { operator, api_token, pms: stage.caller(api_token), ...place };
}

async function registerCompany(
  stage: Stage,
  operator: StorageAccessClient,
): Promise<{ readonly company_id: string; readonly api_token: string }> {
  const { narrator } = stage;
  await narrator.says('A company, and the token under which its management system (PMS) will write.');
  const company = { name: 'Lakeside Storage' };
  const registered = await stage.ask(
    operator,
    ['POST', '/api/operator/companies'],
    { body: company },
    named(company),
  );
  const { company_id } = registered.data;
  const api = { name: 'PMS, production' };
  const issued = await stage.ask(
    operator,
    ['POST', '/api/operator/companies/{company_id}/api-tokens'],
    { path: { company_id }, body: api },
    named(api),
  );
  const api_token = issued.data.token!;
  narrator.shows(`token ${shortened(api_token)}, shown only this once`);
  return { company_id, api_token };
}

async function describePlace(
  stage: Stage,
  operator: StorageAccessClient,
  company_id: string,
): Promise<Pick<Facility, 'location_id' | 'zones' | 'gate_id'>> {
  await stage.narrator.says('A location with its time zone, two zones, and a gate that leads to both.');
  const location = { pms_location_code: LOCATION_CODE, name: 'Lake Street', timezone: TIMEZONE };
  const opened = await stage.ask(
    operator,
    ['POST', '/api/operator/companies/{company_id}/locations'],
    { path: { company_id }, body: location },
    named(location),
  );
  const { location_id } = opened.data;
  const path = { location_id };
  await stage.narrator.says('Whom tenants call, and where they pay. The password protects that link.');
  const contact = { phone: '+13125550100', payment_url: 'https://pay.example.com/{crm_unit_id}' };
  const proof = { current: stage.service.operator.password };
  const place = ['PATCH', '/api/operator/locations/{location_id}'] as const;
  await stage.ask(operator, place, { path, body: { contact, proof } }, { note: contact.payment_url });
  const addZone = async (name: string): Promise<string> => {
    const zones = ['POST', '/api/operator/locations/{location_id}/zones'] as const;
    return (await stage.ask(operator, zones, { path, body: { name } }, named({ name }))).data.zone_id;
  };
  const zones = { west: await addZone('Buildings A and B'), east: await addZone('Buildings C to E') };
  const gate = { name: 'North gate', kind: 'gate', zone_ids: [zones.west, zones.east] } as const;
  const added = await stage.ask(
    operator,
    ['POST', '/api/operator/locations/{location_id}/entry-points'],
    { path, body: { ...gate, zone_ids: [...gate.zone_ids] } },
    named(gate),
  );
  return { location_id, zones, gate_id: added.data.entry_point_id };
}

function named({ name }: { readonly name: string }): Telling {
  return { status: 201, note: name };
}
