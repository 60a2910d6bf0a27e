import { Secret, TOTP } from 'otpauth';
import { TENANT_PHONE } from '../../../tools/bench/service-setup.js';
import { json, SourceServer } from '../../pull/support/source-server.js';
import type { HostileService } from './hostile-service.js';

/** Repeats one kind of request. @returns the status */
export type Attack = (number: number) => Promise<number>;

export interface HostileCaller {
  readonly name: string;
  /** Requests at once. */
  readonly atOnce: number;
  prepare(service: HostileService): Promise<Attack> | Attack;
  readonly close?: () => Promise<void>;
}

const LARGE_BULK = 500;
const MOST_OF_TENANT = 2_000;
const MOST_ZONES = 500;
const MOST_GATES = 200;
const WIDE_ROWS = 500;
const FIELDS = 490;
/** Some hostile callers begin anew at each start of the campaign, so their keys are their own. */
let keys = 0;

const asJson = { 'Content-Type': 'application/json' };

function freshKey() {
  keys += 1;
  return { 'Idempotency-Key': `hostile ${process.pid} ${keys}` };
}

/** Another network for each number: a limit of one address does not help. */
function addressOf(number: number) {
  return {
    'X-Forwarded-For': `198.${number % 2 === 0 ? 18 : 19}.${(number >> 9) % 256}.${(number >> 1) % 256}`,
  };
}

function largeBulk(balance: number, prefix = 'L'): string {
  const units = Array.from({ length: LARGE_BULK }, (_, n) => ({
    crm_unit_id: `${prefix}-${n}`,
    occupied: true,
    move_in_date: '2025-11-01',
    balance_due: balance,
    pms_status_raw: 'x'.repeat(400),
    tenant: { pms_tenant_id: `${prefix}T-${n}`, first_name: 'Pat', last_name: 'Example' },
  }));
  return JSON.stringify({ units });
}

/** The callers of the table of issue "Fair shares" whose work takes time. */
export const HOSTILE_CALLERS: readonly HostileCaller[] = [
  {
    name: 'a tenant sends batches of refused reports',
    atOnce: 8,
    prepare({ call, lock_id, tokens }) {
      const occurred_at = new Date(Date.now() - 20 * 24 * 3_600_000).toISOString();
      return async (number) => {
        const entries = Array.from({ length: 100 }, (_, n) => ({
          event: 'unlock',
          result: 'success',
          client_log_id: `${number} ${n}`,
          occurred_at,
        }));
        return (
          await call('post', `/api/v2/locks/${lock_id}/logs`, { body: { entries }, token: tokens.tenant })
        ).status;
      };
    },
  },
  wideRows(),
  {
    name: 'an auditor posts with fresh keys',
    atOnce: 16,
    prepare: ({ call, tokens }) => {
      return async () => {
        const path = '/api/operator/companies';
        const name = 'x'.repeat(200);
        return (await call('post', path, { body: { name }, token: tokens.auditor, headers: freshKey() }))
          .status;
      };
    },
  },
  {
    name: 'a token replays a large kept answer',
    atOnce: 16,
    async prepare({ call, tokens }) {
      const units = Array.from({ length: LARGE_BULK }, (_, n) => ({ crm_unit_id: `R-${n}`, occupied: 5 }));
      const body = JSON.stringify({ units });
      const headers = freshKey();
      await call('patch', '/api/v2/units', { body, token: tokens.pms, headers });
      return async () => (await call('patch', '/api/v2/units', { body, token: tokens.pms, headers })).status;
    },
  },
  {
    name: 'an auditor reads lists as CSV',
    atOnce: 24,
    prepare({ call, company_id, tokens }) {
      const headers = { Cookie: `operator_session=${tokens.auditor}` };
      const lists = [`companies/${company_id}/units.csv`, `companies/${company_id}/changes.csv`];
      return async (number) => (await call('get', `/dashboard/${lists[number % 2]!}`, { headers })).status;
    },
  },
  {
    name: 'a PMS writes at a location of 500 zones and 200 gates',
    atOnce: 8,
    async prepare({ call, location_id, tokens }) {
      const at = `/api/operator/locations/${location_id}`;
      const make = async (path: string, many: number, body: (n: number) => object) => {
        let made = 0;
        const lane = async () => {
          for (let n = (made += 1); n <= many; n = made += 1)
            await call('post', `${at}/${path}`, { body: body(n), token: tokens.admin });
        };
        await Promise.all(Array.from({ length: 8 }, lane));
      };
      await make('zones', MOST_ZONES, (n) => ({ name: `Zone ${n}` }));
      const { zones } = (await call('get', `${at}/zones`, { token: tokens.admin })).body.data;
      const zone_ids = (zones as { zone_id: string }[]).map(({ zone_id }) => zone_id);
      await make('entry-points', MOST_GATES, (n) => ({ name: `Gate ${n}`, kind: 'gate', zone_ids }));
      return async (number) => {
        const body = { balance_due: number % 100 };
        return (await call('patch', `/api/v2/units/equipped-1`, { body, token: tokens.pms })).status;
      };
    },
  },
  {
    name: 'an auditor signs in from 20 known browsers',
    atOnce: 20,
    async prepare({ call, auditor }) {
      const cookies: string[] = [];
      for (let n = 0; n < 20; n += 1) {
        const { headers } = await call('post', '/api/operator/sessions', { body: auditor });
        const [cookie] = [headers['set-cookie'] ?? ''].flat();
        cookies.push(cookie!.split(';')[0]!);
      }
      return async (number) => {
        const headers = { Cookie: cookies[number % cookies.length]! };
        return (await call('post', '/api/operator/sessions', { body: auditor, headers })).status;
      };
    },
  },
  {
    name: 'somebody with an auditor’s password guesses the code of the app',
    atOnce: 20,
    async prepare({ call, guarded }) {
      const { email, password, token } = guarded;
      const path = '/api/operator/session/second-factor';
      const begun = await call('post', path, { body: { current: password }, token });
      const { setup, secret } = begun.body.data;
      const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
      const set = await call('put', path, { body: { setup, code }, token });
      if (set.status !== 200) throw new Error(`A second factor was answered with ${set.status}.`);
      return async (number) => {
        const body = { email, password, code: String(number % 1_000_000).padStart(6, '0') };
        return (await call('post', '/api/operator/sessions', { body, headers: addressOf(number) })).status;
      };
    },
  },
  {
    name: 'strangers ask for codes of a tenant and guess them',
    atOnce: 20,
    prepare: ({ call }) => {
      return async (number) => {
        const otp = String(number % 1_000_000).padStart(6, '0');
        const [path, body] =
          number % 2 === 0 ? ['phone', TENANT_PHONE] : ['verify-otp', { ...TENANT_PHONE, otp }];
        return (await call('post', `/api/v2/auth/${path}`, { body, headers: addressOf(number) })).status;
      };
    },
  },
  {
    name: 'a token compares 350 KB, 72 at once',
    atOnce: 72,
    async prepare({ call, tokens }) {
      const body = largeBulk(0);
      await call('patch', '/api/v2/units', { body, token: tokens.pms });
      return async () =>
        (await call('post', '/api/v2/units/compare', { body, token: tokens.pms, headers: asJson })).status;
    },
  },
  {
    name: 'a PMS writes a tenant of 2,000 units',
    atOnce: 8,
    async prepare({ call, tokens }) {
      for (let from = 0; from < MOST_OF_TENANT; from += LARGE_BULK) {
        const units = Array.from({ length: LARGE_BULK }, (_, n) => ({
          crm_unit_id: `M-${from + n}`,
          occupied: true,
          move_in_date: '2025-11-01',
          tenant: { pms_tenant_id: 'many', first_name: 'Pat', last_name: 'Example' },
        }));
        await call('patch', '/api/v2/units', { body: { units }, token: tokens.pms });
      }
      return async (number) => {
        const body = { balance_due: number % 100 };
        const path = `/api/v2/units/M-${number % MOST_OF_TENANT}`;
        return (await call('patch', path, { body, token: tokens.pms })).status;
      };
    },
  },
  {
    name: 'a token sends large bodies under a used key',
    atOnce: 16,
    async prepare({ call, tokens }) {
      const headers = freshKey();
      await call('patch', '/api/v2/units', { body: largeBulk(1), token: tokens.pms, headers });
      const body = largeBulk(2);
      return async () => (await call('patch', '/api/v2/units', { body, token: tokens.pms, headers })).status;
    },
  },
  {
    name: 'a PMS sends bulks of 500',
    atOnce: 8,
    prepare({ call, tokens }) {
      return async (number) => {
        const body = largeBulk(number % 50, 'B');
        return (await call('patch', '/api/v2/units', { body, token: tokens.pms })).status;
      };
    },
  },
  {
    name: 'a token reads units and the feed in pages of 500',
    atOnce: 24,
    prepare({ call, tokens }) {
      const paths = ['/api/v2/units?limit=500', '/api/v2/events?limit=500'];
      return async (number) => (await call('get', paths[number % 2]!, { token: tokens.pms })).status;
    },
  },
];

function wideRows(): HostileCaller {
  let source: SourceServer | undefined;
  return {
    name: 'a PMS page has rows of many field names',
    atOnce: 4,
    async prepare({ call, company_id, tokens }) {
      source = await SourceServer.start();
      const names = Array.from({ length: FIELDS }, (_, n) => `field number ${n}`);
      const units = Array.from({ length: WIDE_ROWS }, (_, row) =>
        Object.fromEntries(names.map((name) => [`${name} of row ${row}`, 'x'])),
      );
      source.always(json({ units }));
      const body = { name: 'Wide', url: source.url(), interval_seconds: 86_400 };
      const path = `/api/operator/companies/${company_id}/pull-sources`;
      const { pull_source_id } = (await call('post', path, { body, token: tokens.admin })).body.data;
      const at = `/api/operator/pull-sources/${pull_source_id}`;
      return async (number) => {
        const what = number % 2 === 0 ? 'runs' : 'test';
        return (await call('post', `${at}/${what}`, { token: tokens.admin })).status;
      };
    },
    close: async () => source?.close(),
  };
}
