import type { CompanyNames, Found, FoundUnit } from '#api/operator/index.js';
import { companyPath, gatePath, locationPath, lockPath } from '../links/paths.js';
import { CsvLink, Empty, Section, Table } from '../parts/layout.js';
import { type Column, RowTable } from '../parts/list-page.js';
import { withQuery } from '../links/with-query.js';
import { BriefStateMark } from '../parts/states.js';
import { TENANT_COLUMNS } from '../lists/tenant-columns.js';
import { UNIT_COLUMNS } from '../lists/unit-list.js';
import { NAME_IT, namesActAlone } from './act-words.js';
import { UnitLink } from '../parts/unit-link.js';

interface FoundViewProps {
  readonly q: string;
  readonly found: Found;
  /** Most of each kind. */
  readonly limit: number;
  /** Whether pages of the console were found, which stand above. */
  readonly hasPages: boolean;
}

/** The columns of units, with the company where the operator sees several. */
export function foundColumns(companyNames: CompanyNames): readonly Column<FoundUnit>[] {
  if (companyNames.size === 0) return UNIT_COLUMNS;
  const company = ({ company_id }: FoundUnit) => companyNames.get(company_id);
  return [...UNIT_COLUMNS, { title: 'Company', name: 'company', value: company }];
}

export function FoundView({ q, found, limit, hasPages }: FoundViewProps) {
  const { units, tenants, companies, locations, gates, locks, companyNames } = found;
  const isNone = [units, tenants, companies, locations, gates, locks].every(({ length }) => length === 0);
  if (isNone && hasPages) return null;
  if (isNone && namesActAlone(q)) return <Empty>{NAME_IT}</Empty>;
  if (isNone)
    return (
      <Empty>
        No match for “{q}”. Type the beginning of a name, or the last digits of a phone. The table of a site
        finds any part of a name.
      </Empty>
    );
  return (
    <>
      {units.length === 0 ? null : (
        <Section title="Units">
          <RowTable
            caption={`Units found for ${q}`}
            columns={foundColumns(companyNames)}
            keyOf={({ unit_id }) => unit_id}
            rows={units}
          />
          <Most shown={units.length} limit={limit} />
          <CsvLink path={withQuery('/dashboard/find/units.csv', { q })} />
        </Section>
      )}
      {tenants.length === 0 ? null : (
        <Section title="Tenants">
          <RowTable
            caption="Tenants"
            columns={TENANT_COLUMNS}
            keyOf={({ tenant_id }) => tenant_id}
            rows={tenants}
          />
          <Most shown={tenants.length} limit={limit} />
          <CsvLink path={withQuery('/dashboard/find/tenants.csv', { q })} />
        </Section>
      )}
      <Places {...found} />
      {gates.length + locks.length === 0 ? null : (
        <Section title="Gates and locks">
          <Equipment gates={gates} locks={locks} />
        </Section>
      )}
    </>
  );
}

function Places({ companies, locations, companyNames }: Found) {
  return (
    <>
      {companies.length === 0 ? null : (
        <Section title="Companies">
          <ul class="plain">
            {companies.map(({ _id, name }) => (
              <li key={_id}>
                <a href={companyPath(_id)}>{name}</a>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {locations.length === 0 ? null : (
        <Section title="Sites">
          <Table
            caption="Sites"
            head={['Name', 'PMS code', ...(companyNames.size === 0 ? [] : ['Company'])]}
            rows={locations.map(({ _id, company_id, name, pms_location_code }) => ({
              key: _id,
              cells: [
                <a href={locationPath(_id)}>{name}</a>,
                pms_location_code,
                ...[companyNames.get(company_id) ?? []].flat(),
              ],
            }))}
          />
        </Section>
      )}
    </>
  );
}

function Most({ shown, limit }: { readonly shown: number; readonly limit: number }) {
  return shown < limit ? null : <p class="hint">The first {limit}. Type more to narrow the search.</p>;
}

function Equipment({ gates, locks }: Pick<Found, 'gates' | 'locks'>) {
  const rows = [
    ...gates.map(({ entry_point_id, name, location }) => ({
      key: entry_point_id,
      cells: [
        <a href={gatePath(entry_point_id)}>{name}</a>,
        <a href={locationPath(location._id)}>{location.name}</a>,
        '',
      ],
    })),
    ...locks.map(({ lock_id, name, serial, location_id, unit }) => ({
      key: lock_id,
      cells: [
        <a href={lockPath(lock_id)}>{name}</a>,
        unit === null ? (
          <a href={`${locationPath(location_id)}/equipment?free=true`}>Unassigned</a>
        ) : (
          <>
            On <UnitLink unit={unit} /> <BriefStateMark {...unit.access} />
          </>
        ),
        serial ?? '',
      ],
    })),
  ];
  return <Table caption="Gates and locks" head={['Name', 'Where', 'Serial number']} rows={rows} />;
}
