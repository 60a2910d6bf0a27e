import { searchName } from '#kernel/core/search.js';
import type { Found, FoundLock, FoundTenant, FoundUnit } from '#api/operator/index.js';
import { companyPath, gatePath, locationPath, tenantPath, unitPath } from '../links/paths.js';
import { capitalized } from '../parts/labels.js';
import { BriefStateMark } from '../parts/states.js';
import { amountText, phoneText } from '../parts/words.js';
import { Unbroken } from '../parts/unbroken.js';
import { withQuery } from '../links/with-query.js';

/** A row of the list below the search box. */
export interface Hit {
  readonly href: string;
  readonly title: string;
  /** The serial number of the unit's lock, if that was found. */
  readonly serial?: string | null;
  readonly detail: string;
  readonly unit: FoundUnit | null;
}

/** Rows for the search box: those with exactly this name come first. */
export function hitsOf(found: Found, q: string, limit: number): readonly Hit[] {
  const hits = allHits(found);
  const isNamed = isCalled(q);
  return [...hits.filter(isNamed), ...hits.filter((hit) => !isNamed(hit))].slice(0, limit);
}

/** What Enter opens: the unit with exactly this name, otherwise all else of this name, otherwise the only hit. Undefined if several match. */
export function onlyHit(found: Found, q: string): Hit | undefined {
  const hits = allHits(found);
  const named = hits.filter(isCalled(q));
  const units = named.filter(({ unit }) => unit !== null);
  const [hit, another] = [units, named].find(({ length }) => length > 0) ?? hits;
  return another === undefined ? hit : undefined;
}

function isCalled(q: string): (hit: Hit) => boolean {
  const wanted = searchName(q);
  return ({ title, serial }) => [title, serial ?? ''].some((name) => searchName(name) === wanted);
}

/**
 * Units called so, then tenants with their units, companies, locations, gates and locks; each unit once. Where the operator
 * sees several companies, rows name theirs.
 */
function allHits(found: Found): readonly Hit[] {
  const { units, tenants, companies, locations, gates, locks, companyNames } = found;
  const hits = [
    ...units.map((unit) => unitHit(unit, found)),
    ...tenants.flatMap((tenant) => tenantHits(tenant, found)),
    ...companies.map(({ _id, name }) => ({
      href: companyPath(_id),
      title: name,
      detail: 'Company',
      unit: null,
    })),
    ...locations.map(({ _id, company_id, name, pms_location_code }) => ({
      href: locationPath(_id),
      title: name,
      detail: joined(`Location ${pms_location_code}`, companyNames.get(company_id)),
      unit: null,
    })),
    ...gates.map(({ entry_point_id, name, kind, location }) => ({
      href: gatePath(entry_point_id),
      title: name,
      detail: joined(`${capitalized(kind)} at ${location.name}`, companyNames.get(location.company_id)),
      unit: null,
    })),
    ...locks.map((lock) => lockHit(lock, found)),
  ];
  const seen = new Set<string>();
  return hits.filter(({ href }) => !seen.has(href) && seen.add(href));
}

function lockHit({ name, serial, location_id, unit }: FoundLock, found: Found): Hit {
  if (unit === null)
    return {
      href: `${locationPath(location_id)}/equipment?free=true`,
      title: serial ?? name,
      detail: `Lock ${name}, unassigned`,
      unit,
    };
  const hit = unitHit(unit, found);
  return { ...hit, serial, detail: joined([`Lock ${name}`, serial ?? []].flat().join(', '), hit.detail) };
}

function joined(...texts: readonly (string | null | undefined)[]): string {
  return texts.filter((text) => text != null).join(' · ');
}

function unitHit(unit: FoundUnit, { companyNames }: Found, person = personText(unit.tenant)): Hit {
  return {
    href: unitPath(unit.unit_id),
    title: unit.unit_name,
    detail: joined(person, unit.location.name, companyNames.get(unit.company_id)),
    unit,
  };
}

function tenantHits({ units, ...tenant }: FoundTenant, found: Found): readonly Hit[] {
  const name = personText(tenant) ?? tenant.pms_tenant_id;
  if (units.length === 0)
    return [{ href: tenantPath(tenant.tenant_id), title: name, detail: 'Rents no unit', unit: null }];
  return units.map((unit) => unitHit(unit, found, name));
}

function personText(tenant: FoundUnit['tenant']): string | null {
  return (
    tenant &&
    [tenant.name ?? tenant.pms_tenant_id, tenant.phone === null ? [] : phoneText(tenant.phone)]
      .flat()
      .join(', ')
  );
}

/** The rows as options of the search box; the script moves among them. */
export function Hits({ of, q }: { readonly of: readonly Hit[]; readonly q: string }) {
  return (
    <>
      {of.map(({ href, title, detail, unit }, index) => (
        <a key={href} id={`hit-${index}`} role="option" aria-selected="false" tabIndex={-1} href={href}>
          <strong class="whole">{title}</strong>{' '}
          <span>
            <Unbroken text={detail} />
          </span>{' '}
          {unit === null ? null : (
            <>
              <BriefStateMark {...unit.access} />{' '}
              {unit.facts.balance_due > 0 ? (
                <span>{amountText(unit.facts.balance_due, unit.location.currency)}</span>
              ) : null}
            </>
          )}
        </a>
      ))}
      {of.length === 0 && q !== '' ? (
        <p role="option" aria-disabled="true" aria-selected="false">
          No match for “{q}”
        </p>
      ) : null}
      {of.length === 0 ? null : (
        <a
          id="hit-all"
          role="option"
          aria-selected="false"
          tabIndex={-1}
          href={withQuery('/dashboard/find', { q })}
        >
          All results for “{q}”
        </a>
      )}
    </>
  );
}
