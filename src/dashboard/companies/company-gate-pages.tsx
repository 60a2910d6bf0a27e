import { Get, Param } from '@nestjs/common';
import { CompanyClocks } from '#domain/companies/index.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { PlainQuery } from '#web/validation/parameters.js';
import { CompanyAdministration } from '#api/operator/index.js';
import { CompanyFrame, zonesOf } from '../frame/company-frame.js';
import { Pages } from '../frame/pages.js';
import { GateListReader, type ListedGate, type SiteOfGates } from '../gates/gate-list.reader.js';
import { gateStateText, gateTone } from '../hours/gate-state.js';
import { GatesTodayCard } from '../gates/gates-today.js';
import { type GatesToday, GatesTodayReader } from '../gates/gates-today.reader.js';
import { addPath } from '../parts/drawer.js';
import { companyPath, equipmentPath, gatePath, locationPath } from '../links/paths.js';
import { Page, type StreamedDownload } from '../page/page.js';
import { Icon } from '../parts/icon.js';
import { inMemory } from '../parts/in-memory.js';
import { Empty, None, Section } from '../parts/layout.js';
import { ExportCsv } from '../parts/list-card.js';
import { type Column, listPage } from '../parts/list-page.js';
import { mayDo } from '../parts/roles.js';
import { Recent } from '../parts/times.js';
import { countText } from '../parts/words.js';

interface GatesQuery {
  readonly cursor?: string;
}

/** Visits beside the list. */
const VISITS = 8;

type GateRow = ListedGate & Pick<SiteOfGates, 'location_id' | 'timezone'> & { readonly site: string };

/** The gates of a company over all its sites. */
@ForOperators('auditor')
@ForSiteOperators('narrowed')
@Pages('dashboard/companies/:company_id')
export class CompanyGatePages {
  constructor(
    private readonly companies: CompanyAdministration,
    private readonly gates: GateListReader,
    private readonly today: GatesTodayReader,
    private readonly clocks: CompanyClocks,
  ) {}

  @Costly()
  @Get('gates')
  async show(
    @Param('company_id') company_id: string,
    @PlainQuery() { cursor }: GatesQuery,
    @Context() { principal, deadline }: OperatorContext,
  ): Promise<Page> {
    const company = await this.companies.readCompany(company_id, principal);
    const locations = await this.gates.listLocations(company_id, principal);
    const sites = await this.gates.readSites(locations);
    const now = await this.clocks.now(company_id);
    const today = await this.today.read(locations, now, VISITS, deadline);
    const rows = rowsOf(sites);
    const { view } = await gateList(company_id, rows, { today, now }).show(cursor);
    const content = (
      <CompanyFrame company={company}>
        {rows.length === 0 ? (
          <Section title="No gate yet">
            <Empty>A gate, door or elevator opens for the tenants of the zones that it leads to.</Empty>
          </Section>
        ) : (
          <div class="stack">
            <section class="card bare" aria-labelledby="all-gates">
              <div class="card-head">
                <h2 id="all-gates">All gates</h2>
                <ExportCsv path={fileOf(company_id)} />
              </div>
              {view}
            </section>
            <GatesTodayCard today={today} zoneIn={zonesOf(company.locations)} now={now} />
          </div>
        )}
      </CompanyFrame>
    );
    const mayAdd = mayDo(principal.role, 'manager') && locations.length > 0;
    return new Page(company.name, content, 200, {
      tab: 'Gates',
      heading: 'Gates',
      company_id,
      sub: subText(rows.length, locations.length),
      acts: mayAdd ? <AddGate locations={company.locations} /> : undefined,
    });
  }

  @Costly()
  @Get('gates.csv')
  async csv(
    @Param('company_id') company_id: string,
    @Context() { principal, deadline }: OperatorContext,
  ): Promise<StreamedDownload> {
    await this.companies.readCompany(company_id, principal);
    const locations = await this.gates.listLocations(company_id, principal);
    const now = await this.clocks.now(company_id);
    const today = await this.today.read(locations, now, 0, deadline);
    return gateList(company_id, rowsOf(await this.gates.readSites(locations)), { today, now }).csv();
  }
}

const pathOf = (company_id: string) => `${companyPath(company_id)}/gates`;
const fileOf = (company_id: string) => `${pathOf(company_id)}.csv`;

function rowsOf(sites: readonly SiteOfGates[]): GateRow[] {
  return sites.flatMap(({ location_id, name, timezone, gates }) =>
    gates.map((gate) => ({ ...gate, location_id, site: name, timezone })),
  );
}

function subText(gates: number, sites: number): string | undefined {
  if (gates === 0) return undefined;
  return sites === 1 ? gates.toLocaleString('en-US') : `${gates} at ${countText(sites, 'site')}`;
}

function gateList(
  company_id: string,
  rows: readonly GateRow[],
  { today, now }: { readonly today: GatesToday; readonly now: number },
) {
  const path = pathOf(company_id);
  const keyOf = ({ entry_point_id }: GateRow) => entry_point_id;
  const tapsOf = ({ entry_point_id }: GateRow) => today.byGate.get(entry_point_id);
  const columns: readonly Column<GateRow>[] = [
    { name: 'entry_point_id' },
    {
      title: 'Gate',
      name: 'name',
      cell: ({ entry_point_id, name }) => <a href={gatePath(entry_point_id)}>{name}</a>,
    },
    {
      title: 'Site',
      name: 'site',
      cell: ({ location_id, site }) => <a href={locationPath(location_id)}>{site}</a>,
    },
    {
      title: 'Now',
      cell: (gate) => (
        <a class="with-dot" href={`${gatePath(gate.entry_point_id)}/hours`}>
          <span class={`dot ${gateTone(gate)}`} />
          {gateStateText(gate, gate.timezone, now)}
        </a>
      ),
    },
    { name: 'now', value: (gate) => gateStateText(gate, gate.timezone, now) },
    {
      title: 'Opened today',
      name: 'opened_today',
      cell: (gate) => tapsOf(gate)?.opened.toLocaleString('en-US') ?? <None>–</None>,
      value: (gate) => tapsOf(gate)?.opened ?? 0,
    },
    {
      title: 'Denied or failed',
      name: 'denied_or_failed_today',
      cell: (gate) => tapsOf(gate)?.others.toLocaleString('en-US') ?? <None>–</None>,
      value: (gate) => tapsOf(gate)?.others ?? 0,
    },
    {
      title: 'Last tap',
      cell: (gate) => {
        const last = tapsOf(gate)?.last;
        return last === undefined ? <None>–</None> : <Recent at={last.at} zone={gate.timezone} now={now} />;
      },
    },
  ];
  return listPage({
    caption: 'Gates',
    name: 'gates',
    path,
    file: fileOf(company_id),
    hasFileLink: false,
    columns,
    keyOf,
    read: inMemory(rows, keyOf),
    empty: 'No gate yet.',
  });
}

interface AddGateProps {
  readonly locations: readonly { readonly location_id: string; readonly name: string }[];
}

/** A gate belongs to a site, whose page has the form. */
function AddGate({ locations }: AddGateProps) {
  const formOf = (location_id: string) => addPath(equipmentPath(location_id, 'gates'), 'entry-point');
  const text = (
    <>
      <Icon name="plus" />
      Add gate
    </>
  );
  if (locations.length === 1)
    return (
      <a class="button primary" href={formOf(locations[0]!.location_id)}>
        {text}
      </a>
    );
  return (
    <>
      <button type="button" class="button primary" popovertarget="add-gate">
        {text}
      </button>
      <nav class="menu" id="add-gate" popover="auto" aria-label="Site of the gate">
        <p class="menu-head">At which site</p>
        {locations.map(({ location_id, name }) => (
          <a key={location_id} href={formOf(location_id)}>
            <Icon name="map-pin" />
            {name}
          </a>
        ))}
      </nav>
    </>
  );
}
