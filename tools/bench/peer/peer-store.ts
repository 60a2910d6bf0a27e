import type { Pool } from 'pg';
import type { ShortDecision } from '#domain/access/core/policy.js';
import type { PeerEvent, PeerUnit } from './peer-unit.js';

/** A tenant with the personal details of the last request that named the tenant. */
export interface PeerTenant {
  readonly tenant_id: string;
  readonly pms_tenant_id: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

/** A tenant with the version of its decisions. 0: no decisions yet. */
export type KnownTenant = PeerTenant & { readonly version: number };

/** The state on which a write is decided. */
export interface Snapshot {
  readonly units: readonly PeerUnit[];
  /** The tenants in the request, and the tenants who rent one of the units. */
  readonly tenants: readonly KnownTenant[];
  /** All units of those tenants. */
  readonly theirs: readonly PeerUnit[];
  /** The first answer for the idempotency key. */
  readonly answered: { readonly hash: string; readonly answer: object } | null;
}

export type DecidedUnit = Pick<PeerUnit, 'unit_id' | 'crm_unit_id' | 'unit_name'> & ShortDecision;

/** The changes of a write. All of them are stored, or none. */
export interface Changes {
  readonly tenants: readonly PeerTenant[];
  readonly units: readonly { readonly unit: PeerUnit; readonly events: readonly PeerEvent[] }[];
  /** `version` is the one that was read, plus one. */
  readonly decisions: readonly {
    readonly tenant_id: string;
    readonly version: number;
    readonly units: readonly DecidedUnit[];
  }[];
  readonly answer: { readonly key: string; readonly hash: string; readonly answer: object } | undefined;
  readonly metadata: object;
}

export const SCHEMA = `
CREATE TABLE tenants (
  tenant_id text PRIMARY KEY, company_id text NOT NULL, pms_tenant_id text NOT NULL,
  first_name text, last_name text, email text, phone text, UNIQUE (company_id, pms_tenant_id));
CREATE TABLE units (
  company_id text NOT NULL, crm_unit_id text NOT NULL, unit_id text NOT NULL UNIQUE, unit_name text NOT NULL,
  tenant_id text, revision integer NOT NULL, facts jsonb NOT NULL, set_at jsonb NOT NULL,
  PRIMARY KEY (company_id, crm_unit_id));
CREATE INDEX ON units (tenant_id);
CREATE TABLE events (
  stream text NOT NULL, revision integer NOT NULL, position bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  type text NOT NULL, data jsonb NOT NULL, metadata jsonb NOT NULL, PRIMARY KEY (stream, revision));
CREATE TABLE decisions (
  tenant_id text PRIMARY KEY, version integer NOT NULL, valid_until bigint, units jsonb NOT NULL);
CREATE INDEX ON decisions (valid_until);
CREATE TABLE answers (key text PRIMARY KEY, hash text NOT NULL, answer json NOT NULL, at timestamptz DEFAULT now());
CREATE TABLE locks (lock_id text PRIMARY KEY, company_id text NOT NULL, crm_unit_id text NOT NULL, name text NOT NULL);
CREATE INDEX ON locks (company_id, crm_unit_id);
CREATE FUNCTION demand_current(current boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT current THEN RAISE EXCEPTION 'written meanwhile' USING ERRCODE = 'serialization_failure'; END IF;
END $$;
`;

const READ = `
WITH named AS (SELECT * FROM units WHERE company_id = $1 AND crm_unit_id = ANY ($2)),
touched AS (
  SELECT * FROM tenants WHERE company_id = $1 AND pms_tenant_id = ANY ($3)
  UNION SELECT tenants.* FROM tenants JOIN named ON named.tenant_id = tenants.tenant_id),
versions AS (
  SELECT touched.*, coalesce(decisions.version, 0) AS version FROM touched LEFT JOIN decisions USING (tenant_id))
SELECT
  coalesce((SELECT json_agg(named) FROM named), '[]') AS units,
  coalesce((SELECT json_agg(versions) FROM versions), '[]') AS tenants,
  coalesce((SELECT json_agg(units) FROM units JOIN touched USING (tenant_id)), '[]') AS theirs,
  (SELECT json_build_object('hash', hash, 'answer', answer) FROM answers WHERE key = $4) AS answered`;

/** One statement is one transaction. It fails if a stream or a decision has changed since it was read. */
const WRITE = `
WITH known AS (
  INSERT INTO tenants (company_id, tenant_id, pms_tenant_id, first_name, last_name, email, phone)
  SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
  ON CONFLICT (tenant_id) DO UPDATE SET first_name = excluded.first_name, last_name = excluded.last_name,
    email = excluded.email, phone = excluded.phone),
appended AS (
  INSERT INTO events (stream, revision, type, data, metadata)
  SELECT stream, revision, type, data, $12 FROM unnest($8::text[], $9::integer[], $10::text[], $11::jsonb[])
    AS event (stream, revision, type, data)),
kept AS (
  INSERT INTO units (company_id, crm_unit_id, unit_id, unit_name, tenant_id, revision, facts, set_at)
  SELECT $1, * FROM unnest(
    $13::text[], $14::text[], $15::text[], $16::text[], $17::integer[], $18::jsonb[], $19::jsonb[])
  ON CONFLICT (company_id, crm_unit_id) DO UPDATE SET tenant_id = excluded.tenant_id,
    revision = excluded.revision, facts = excluded.facts, set_at = excluded.set_at),
decided AS (
  INSERT INTO decisions (tenant_id, version, valid_until, units)
  SELECT * FROM unnest($20::text[], $21::integer[], $22::bigint[], $23::jsonb[])
  ON CONFLICT (tenant_id) DO UPDATE SET version = excluded.version, valid_until = excluded.valid_until,
    units = excluded.units WHERE decisions.version = excluded.version - 1 RETURNING 1),
answered AS (
  INSERT INTO answers (key, hash, answer) SELECT $24, $25, $26::json WHERE $24::text IS NOT NULL)
SELECT demand_current(count(*) = cardinality($20)) FROM decided`;

const TENANT = `
SELECT tenants.*, decisions.version, decisions.units,
  (SELECT coalesce(json_agg(json_build_object('lock_id', lock_id, 'name', name, 'crm_unit_id', locks.crm_unit_id)), '[]')
    FROM locks JOIN units USING (company_id, crm_unit_id) WHERE units.tenant_id = tenants.tenant_id) AS locks
FROM tenants JOIN decisions USING (tenant_id) WHERE company_id = $1 AND pms_tenant_id = $2`;

/** The data of the answer to the tenant's app. */
export interface TenantRow extends PeerTenant {
  readonly version: number;
  readonly units: readonly DecidedUnit[];
  readonly locks: readonly {
    readonly lock_id: string;
    readonly name: string;
    readonly crm_unit_id: string;
  }[];
}

/** The statements of one company. Each is prepared once on every connection. */
export class PeerStore {
  constructor(
    private readonly pool: Pool,
    private readonly company_id: string,
  ) {}

  async read(
    crm_unit_ids: readonly string[],
    pms_tenant_ids: readonly string[],
    key?: string,
  ): Promise<Snapshot> {
    const values = [this.company_id, crm_unit_ids, pms_tenant_ids, key ?? null];
    const { rows } = await this.pool.query<Snapshot>({ name: 'read', text: READ, values });
    return rows[0]!;
  }

  async tenant(pms_tenant_id: string): Promise<TenantRow | undefined> {
    const values = [this.company_id, pms_tenant_id];
    const { rows } = await this.pool.query<TenantRow>({ name: 'tenant', text: TENANT, values });
    return rows[0];
  }

  /** @throws DatabaseError of code 23505, 40001 or 40P01 if another write came first */
  async write({ tenants, units, decisions, answer, metadata }: Changes): Promise<void> {
    const events = units.flatMap(({ unit, events }) =>
      events.map((event, place) => ({
        stream: `unit-${this.company_id}.${unit.crm_unit_id}`,
        revision: unit.revision - events.length + 1 + place,
        ...event,
      })),
    );
    const rows = units.map(({ unit }) => unit);
    const values = [
      this.company_id,
      ...columns(tenants, ['tenant_id', 'pms_tenant_id', 'first_name', 'last_name', 'email', 'phone']),
      ...columns(events, ['stream', 'revision', 'type', 'data']),
      metadata,
      ...columns(rows, ['crm_unit_id', 'unit_id', 'unit_name', 'tenant_id', 'revision', 'facts', 'set_at']),
      ...columns(decisions, ['tenant_id', 'version']),
      decisions.map((decision) => firstEnd(decision.units)),
      decisions.map((decision) => JSON.stringify(decision.units)),
      answer?.key ?? null,
      answer?.hash ?? null,
      answer === undefined ? null : JSON.stringify(answer.answer),
    ];
    await this.pool.query({ name: 'write', text: WRITE, values });
  }
}

/** Turns rows into columns, for `unnest`. */
function columns<Row>(rows: readonly Row[], names: readonly (keyof Row)[]): unknown[][] {
  return names.map((name) => rows.map((row) => row[name]));
}

function firstEnd(units: readonly DecidedUnit[]): number | null {
  const ends = units.flatMap(({ valid_until }) => valid_until ?? []);
  return ends.length === 0 ? null : Math.min(...ends);
}
