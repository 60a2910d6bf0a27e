import { searchName } from '#kernel/core/search.js';
import type { Found, FoundLock, FoundTenant, FoundUnit } from '#api/operator/index.js';
import { companyPath, gatePath, locationPath, tenantPath, unitPath } from '../links/paths.js';
import { capitalized } from '../parts/labels.js';
import { Icon, type IconName } from '../parts/icon.js';
import { BriefStateMark } from '../parts/states.js';
import { nameOf } from '../parts/tenant-links.js';
import { amountText, countText, phoneText } from '../parts/words.js';
import { Unbroken } from '../parts/unbroken.js';
import { NAME_IT, namesActAlone } from './act-words.js';
import { matchedParts } from './matched-parts.js';

/** A row of the list below the search box. */
export interface Hit {
  readonly href: string;
  readonly icon: IconName;
  readonly title: string;
  /** The serial number of the unit's lock, if that was found. */
  readonly serial?: string | null;
  readonly detail: string;
  /** The phone of its tenant. */
  readonly phone?: string | null | undefined;
  readonly unit: FoundUnit | null;
  /** True: a page beside the units of a tenant. Enter passes it by. */
  readonly isBeside?: boolean;
}

/**
 * Rows for the search box: first those with exactly this name, then those whose phone ends so. Where there are too many, a
 * unit stays before its tenant's own page.
 */
export function hitsOf(found: Found, q: string, limit: number): readonly Hit[] {
  const hits = allHits(found);
  const hasName = hasNameOf(q);
  const hasPhone = hasPhoneEnding(q);
  const rankOf = (hit: Hit) => (hasName(hit) ? 0 : hasPhone(hit) ? 1 : 2);
  const ranked = hits.toSorted((one, other) => rankOf(one) - rankOf(other));
  const isBeside = (hit: Hit) => hit.isBeside === true;
  const kept = new Set(
    [...ranked.filter((hit) => !isBeside(hit)), ...ranked.filter(isBeside)].slice(0, limit),
  );
  return ranked.filter((hit) => kept.has(hit));
}

/**
 * What Enter opens: the unit with exactly this name, otherwise all else of this name, otherwise the only hit. Undefined if
 * several match, and where digits are a name and the end of another's phone: nobody can tell which of them was meant.
 */
export function onlyHit(found: Found, q: string, pages: readonly Hit[] = []): Hit | undefined {
  const hits = [...allHits(found), ...pages].filter(({ isBeside }) => isBeside !== true);
  const hasName = hasNameOf(q);
  const named = hits.filter(hasName);
  const hasPhone = hasPhoneEnding(q);
  if (named.length > 0 && hits.some((hit) => hasPhone(hit) && !hasName(hit))) return undefined;
  const units = named.filter(({ unit }) => unit !== null);
  const [hit, another] = [units, named].find(({ length }) => length > 0) ?? hits;
  return another === undefined ? hit : undefined;
}

/** Whether the text is the name or the serial number of a hit. Case does not count. */
function hasNameOf(q: string): (hit: Hit) => boolean {
  const wanted = searchName(q);
  return ({ title, serial }) => [title, serial ?? ''].some((name) => searchName(name) === wanted);
}

/** The last digits that a phone shows of whoever calls. */
const PHONE_END = /^\d{4,}$/;

function hasPhoneEnding(q: string): (hit: Hit) => boolean {
  const digits = q.trim();
  if (!PHONE_END.test(digits)) return () => false;
  return ({ phone }) => phone?.endsWith(digits) === true;
}

/**
 * Units called so, then tenants with their own page and their units, companies, locations, gates and locks; each unit once.
 * Where the operator sees several companies, rows name theirs.
 */
function allHits(found: Found): readonly Hit[] {
  const { units, tenants, companies, locations, gates, locks, companyNames } = found;
  const hits = [
    ...units.map((unit) => unitHit(unit, found)),
    ...tenants.flatMap((tenant) => tenantHits(tenant, found)),
    ...companies.map(({ _id, name }) => ({
      href: companyPath(_id),
      icon: 'building-warehouse' as const,
      title: name,
      detail: 'Company',
      unit: null,
    })),
    ...locations.map(({ _id, company_id, name, pms_location_code }) => ({
      href: locationPath(_id),
      icon: 'map' as const,
      title: name,
      detail: joined(`Site ${pms_location_code}`, companyNames.get(company_id)),
      unit: null,
    })),
    ...gates.map(({ entry_point_id, name, kind, location }) => ({
      href: gatePath(entry_point_id),
      icon: 'barrier-block' as const,
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
      icon: 'lock',
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
    icon: 'door',
    title: unit.unit_name,
    detail: joined(person, unit.location.name, companyNames.get(unit.company_id)),
    phone: unit.tenant?.phone,
    unit,
  };
}

/** The units of a tenant, and the own page. */
function tenantHits({ units, ...tenant }: FoundTenant, found: Found): readonly Hit[] {
  const person = personText(tenant) ?? nameOf(tenant);
  const href = tenantPath(tenant.tenant_id);
  const own = { href, icon: 'user' as const, phone: tenant.phone, unit: null };
  if (units.length === 0) return [{ ...own, title: person, detail: 'Rents no unit' }];
  const page = {
    ...own,
    title: nameOf(tenant),
    detail: `Tenant of ${countText(units.length, 'unit')}`,
    isBeside: true,
  };
  return [page, ...units.map((unit) => unitHit(unit, found, person))];
}

function personText(tenant: FoundUnit['tenant']): string | null {
  return tenant && [nameOf(tenant), tenant.phone === null ? [] : phoneText(tenant.phone)].flat().join(', ');
}

interface HitsProps {
  /** What can be done with what was found, and forms. */
  readonly acts: readonly Hit[];
  readonly of: readonly Hit[];
  readonly pages: readonly Hit[];
  readonly q: string;
  /** The page of all results. */
  readonly all: string;
}

/** The rows as options of the search box, in groups; the script moves among them. */
export function Hits({ acts, of, pages, q, all }: HitsProps) {
  if (q === '') return null;
  const units = of.filter(({ unit }) => unit !== null);
  const others = of.filter(({ unit }) => unit === null);
  const groups = [
    ['Do', acts, 0],
    ['Units', units, acts.length],
    ['Go to', [...others, ...pages], acts.length + units.length],
  ] as const;
  const isNone = acts.length + of.length + pages.length === 0;
  return (
    <>
      {groups.map(([name, hits, first]) => (
        <Group key={name} {...{ name, hits, first, q }} />
      ))}
      {isNone ? (
        <p role="option" aria-disabled="true" aria-selected="false">
          {namesActAlone(q) ? NAME_IT : `No match for “${q}”`}
        </p>
      ) : (
        <a id="hit-all" role="option" aria-selected="false" tabIndex={-1} href={all}>
          <Icon name="search" />
          <span>All results for “{q}”</span>
        </a>
      )}
    </>
  );
}

interface GroupProps {
  readonly name: string;
  readonly hits: readonly Hit[];
  /** The number of rows before it. */
  readonly first: number;
  readonly q: string;
}

function Group({ name, hits, first, q }: GroupProps) {
  if (hits.length === 0) return null;
  return (
    <div role="group" aria-label={name}>
      <p class="menu-head" aria-hidden="true">
        {name}
      </p>
      {hits.map(({ href, icon, title, detail, unit }, index) => (
        <a
          key={href}
          id={`hit-${first + index}`}
          role="option"
          aria-selected="false"
          tabIndex={-1}
          href={href}
        >
          <Icon name={icon} />
          <span>
            <strong>
              <Matched text={title} q={q} />
            </strong>{' '}
            <span class="soft">
              <Matched text={detail} q={q} />
            </span>
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
    </div>
  );
}

function Matched({ text, q }: { readonly text: string; readonly q: string }) {
  return (
    <>
      {matchedParts(text, q).map((part) =>
        part.isMatch ? <mark>{part.text}</mark> : <Unbroken text={part.text} />,
      )}
    </>
  );
}
