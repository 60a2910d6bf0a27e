import type { ResultOf } from '#kernel/result-of.js';
import type { CompanyOverview } from '#api/operator/index.js';
import { Fragment } from 'preact';
import type { CompanyNames } from '../names/company-names.js';
import type { NamesById, ThingNames } from '../names/thing-names.js';
import { Unbroken } from '../parts/unbroken.js';
import { nameText } from '../parts/words.js';
import { gatePath, locationPath, passPath, sourcePath, tenantPath, unitPath } from '../links/paths.js';

export type Change = ResultOf<CompanyOverview['listChanges']>['events'][number];

/** Names of the things that changes are about. */
interface SubjectNames {
  readonly units: NamesById;
  readonly tenants: NamesById;
  readonly locations: NamesById;
  readonly equipment: NamesById;
  readonly passHolders: NamesById;
  /** Of what belongs to a company as a whole. */
  readonly companyWide: NamesById;
}

export async function subjectNames(
  company_id: string,
  changes: readonly Change[],
  { names, companyNames }: { readonly names: ThingNames; readonly companyNames: CompanyNames },
): Promise<SubjectNames> {
  const idsOfChanges = changes.map(idsOf);
  const idsNamed = (...fields: readonly string[]) =>
    idsOfChanges.flatMap((ids) => fields.flatMap((field) => ids[field] ?? []));
  const [units, tenants, locations, equipment, passHolders, ...companyWide] = await Promise.all([
    names.findUnits(idsNamed('unit_id')),
    names.findTenants(idsNamed('tenant_id')),
    names.findLocations(idsNamed('location_id')),
    names.findEquipment(idsNamed('lock_id', 'entry_point_id', 'zone_id')),
    names.findPassHolders(idsNamed('pass_id')),
    companyNames.findCompanies(idsNamed('company_id')),
    companyNames.findOperators(idsNamed('operator_id')),
    companyNames.findPullSources(idsNamed('pull_source_id')),
    ...(idsNamed('token_id').length === 0 ? [] : [companyNames.findTokens(company_id)]),
  ]);
  return {
    units,
    tenants,
    locations,
    equipment,
    passHolders,
    companyWide: new Map(companyWide.flatMap((some) => [...some])),
  };
}

/** The location where it happened, if it was at one. */
export function locationOf(change: Change): string | undefined {
  return idsOf(change)['location_id'];
}

/** Something with a name, and its page where it has one. */
export interface LinkedName {
  readonly text: string;
  readonly href?: string;
}

/**
 * The subjects of a change, from the smallest: a lock, its unit, its location. Of a pass its holder first.
 * @param isOneOfSeveral whether a unit or a tenant needs its location, because the company has others
 */
export function subjectOf(
  change: Change,
  names: SubjectNames,
  isOneOfSeveral: boolean,
): readonly LinkedName[] {
  const { kind, crm_unit_id } = change.subject as Readonly<Record<string, string>>;
  const { lock_id, entry_point_id, zone_id, unit_id, tenant_id, location_id, pass_id } = idsOf(change);
  const site = partOf(location_id, names.locations, locationPath);
  const of = isOneOfSeveral ? site : [];
  if (kind === 'unit') {
    const person = names.tenants.has(tenant_id!) ? partOf(tenant_id, names.tenants, tenantPath) : [];
    return [{ text: crm_unit_id!, href: unitPath(unit_id!) }, ...person, ...of];
  }
  if (kind === 'tenant') return [...partOf(tenant_id, names.tenants, tenantPath), ...of];
  const parts = [
    ...companyWideParts(change, names.companyWide),
    ...partOf(pass_id, names.passHolders, passPath),
    ...partOf(lock_id ?? zone_id, names.equipment),
    ...partOf(entry_point_id, names.equipment, gatePath),
    ...partOf(unit_id, names.units, unitPath),
    ...site,
  ];
  return parts.length === 0 ? [{ text: KIND_TEXTS[kind!] ?? nameText(kind!) }] : parts;
}

/** A company, or what belongs to one as a whole. Pages of admins alone are not linked: auditors read of them, too. */
function companyWideParts(change: Change, names: NamesById): LinkedName[] {
  const { company_id, operator_id, token_id, webhook_id, pull_source_id } = idsOf(change);
  return [
    ...partOf(company_id ?? operator_id ?? token_id ?? webhook_id, names),
    ...partOf(pull_source_id, names, (id) => sourcePath({ pull_source_id: id })),
  ];
}

/** Kinds that people call otherwise. */
const KIND_TEXTS: Readonly<Record<string, string>> = { entry_point: 'gate', location: 'site' };

function partOf(id: string | undefined, names: NamesById, pathOf?: (id: string) => string): LinkedName[] {
  if (id === undefined) return [];
  const text = names.get(id) ?? id;
  return [pathOf === undefined ? { text } : { text, href: pathOf(id) }];
}

/** The subject of a change, with links. */
export function Subject({ of }: { readonly of: readonly LinkedName[] }) {
  return (
    <>
      {of.map(({ text, href }, index) => (
        <Fragment key={text}>
          {index === 0 ? '' : ', '}
          {href === undefined ? (
            <Unbroken text={text} />
          ) : (
            <a href={href}>
              <Unbroken text={text} />
            </a>
          )}
        </Fragment>
      ))}
    </>
  );
}

/** Every id in an event's subject and data. */
function idsOf({ subject, data }: Change): Readonly<Partial<Record<string, string>>> {
  const all: readonly [string, unknown][] = Object.entries({ ...data, ...subject });
  return Object.fromEntries(
    all.flatMap(([name, value]) =>
      name.endsWith('_id') && typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}
