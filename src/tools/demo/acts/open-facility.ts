import { LOCATION_CODE, type Facility, type Stage, TIMEZONE } from '../stage.js';
import { shortened } from '../format.js';

/** The operator signs in and describes the place. */
export async function openFacility(stage: Stage): Promise<Facility> {
  const { narrator, service } = stage;
  await narrator.chapter('Opening day');
  await narrator.says(
    'The first start made an operator and printed a password. With it, the operator signs in.',
  );
  const session = await stage.ask<{ token: string }>(
    { method: 'POST', path: '/api/operator/sessions', body: service.operator },
    { status: 201, note: service.operator.email },
  );
  const create = creator(stage, session.data.token);

  await narrator.says('A company, and the token under which its management system (PMS) will write.');
  const company = await create<{ company_id: string }>('/companies', { name: 'Lakeside Storage' });
  const tokens = `/companies/${company.company_id}/api-tokens`;
  const { token } = await create<{ token: string }>(tokens, { name: 'PMS, production' });
  narrator.shows(`token ${shortened(token)}, shown only this once`);

  await narrator.says('A location with its time zone, two zones, and a gate that leads to both.');
  const { location_id } = await create<{ location_id: string }>(
    `/companies/${company.company_id}/locations`,
    {
      pms_location_code: LOCATION_CODE,
      name: 'Lake Street',
      timezone: TIMEZONE,
    },
  );
  const place = `/locations/${location_id}`;
  const west = await create<{ zone_id: string }>(`${place}/zones`, { name: 'Buildings A and B' });
  const east = await create<{ zone_id: string }>(`${place}/zones`, { name: 'Buildings C to E' });
  const zones = { west: west.zone_id, east: east.zone_id };
  const gate = await create<{ entry_point_id: string }>(`${place}/entry-points`, {
    name: 'North gate',
    kind: 'gate',
    zone_ids: [zones.west, zones.east],
  });
  return {
    operator_token: session.data.token,
    api_token: token,
    location_id,
    zones,
    gate_id: gate.entry_point_id,
  };
}

function creator(stage: Stage, token: string) {
  return async <T>(path: string, body: Record<string, unknown> & { readonly name: string }): Promise<T> => {
    const call = { method: 'POST', path: `/api/operator${path}`, token, body } as const;
    return (await stage.ask<T>(call, { status: 201, note: body.name })).data;
  };
}
