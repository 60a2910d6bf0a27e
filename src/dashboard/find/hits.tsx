import { searchName } from '../../base/core/search-name.js';
import type { Found, FoundTenant, FoundUnit } from '../../operator/index.js';
import { gatePath, locationPath } from '../locations/location-frame.js';
import { BriefStateMark } from '../parts/states.js';
import { amountText, phoneText } from '../parts/words.js';
import { Unbroken } from '../parts/unbroken.js';
import { withQuery } from '../parts/with-query.js';
import { unitPath } from '../units/unit-list.js';

/** A row of the list below the search box. */
export interface Hit {
  readonly href: string;
  readonly title: string;
  readonly detail: string;
  readonly unit: FoundUnit | null;
}

/** Rows for the search box: units called so, then tenants with their units, locations, gates and locks; each unit once. */
export function hitsOf({ units, tenants, locations, gates, locks }: Found, limit: number): readonly Hit[] {
  const hits = [
    ...units.map(unitHit),
    ...tenants.flatMap(tenantHits),
    ...locations.map(({ _id, name, pms_location_code }) => ({
      href: locationPath(_id),
      title: name,
      detail: `Location ${pms_location_code}`,
      unit: null,
    })),
    ...gates.map(({ entry_point_id, name, location }) => ({
      href: gatePath(entry_point_id),
      title: name,
      detail: `Gate at ${location.name}`,
      unit: null,
    })),
    ...locks.map(({ name, serial, location_id, unit_id }) => ({
      href: unit_id === null ? `${locationPath(location_id)}/equipment?free=true` : unitPath(unit_id),
      title: serial ?? name,
      detail: unit_id === null ? `Lock ${name}, unassigned` : `Lock ${name}`,
      unit: null,
    })),
  ];
  const seen = new Set<string>();
  return hits.filter(({ href }) => !seen.has(href) && seen.add(href)).slice(0, limit);
}

/** What Enter opens: the unit with exactly this name, otherwise the only hit. Undefined if several match. */
export function onlyHit(found: Found, q: string): Hit | undefined {
  const named = found.units.filter(({ unit_name }) => searchName(unit_name) === searchName(q));
  const [hit, another] = named.length > 0 ? named.map(unitHit) : hitsOf(found, 2);
  return another === undefined ? hit : undefined;
}

function unitHit(unit: FoundUnit): Hit {
  return {
    href: unitPath(unit.unit_id),
    title: unit.unit_name,
    detail: [personText(unit.tenant) ?? [], unit.location.name].flat().join(' · '),
    unit,
  };
}

function tenantHits({ units, ...tenant }: FoundTenant): readonly Hit[] {
  const name = personText(tenant) ?? tenant.pms_tenant_id;
  if (units.length === 0)
    return [
      { href: `/dashboard/tenants/${tenant.tenant_id}`, title: name, detail: 'Rents no unit', unit: null },
    ];
  return units.map((unit) => ({ ...unitHit(unit), detail: `${name} · ${unit.location.name}` }));
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
              {unit.facts.balance_due > 0 ? <span>{amountText(unit.facts.balance_due)}</span> : null}
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
