import type { ResultOf } from '#kernel/result-of.js';
import type { ComponentChildren } from 'preact';
import {
  companyPath,
  gatePath,
  locationPath,
  sourcePath,
  tenantPath,
  unitPath,
  webhookPath,
} from '../links/paths.js';
import type { OperatorRole } from '#kernel/principals.js';
import type {
  CompanyAdministration,
  DamagedHistory,
  RentedUnits,
  Today,
  TodayQuery,
} from '#api/operator/index.js';
import { ZoneHint, type ZoneOfLocation } from '../frame/company-frame.js';
import { addPath } from '../parts/drawer.js';
import { Empty, None, Section, Table } from '../parts/layout.js';
import { mayDo } from '../parts/roles.js';
import { Mark } from '../parts/states.js';
import { Happened } from '../parts/happened.js';
import { Instant } from '../parts/times.js';
import { rejectionText } from '../parts/labels.js';
import { RejectedRows } from '../companies/rejected-rows.js';
import { eventsText, localText } from '../parts/words.js';
import { SyncTroubles } from '../pull/sync-mark.js';
import { TenantUnits } from '../lists/tenant-columns.js';
import type { UnitReport } from '../activity/named-entries.js';
import { TapResult } from '../activity/tap-result.js';
import { addressText, type Webhook, WebhookMark } from '../webhooks/webhook-texts.js';
import { UnsentTextList } from '../notices/unsent-texts.js';
import { FailedEquipment } from './failed-equipment.js';
import { Tiles } from './tiles.js';
import { Auction, ToCall } from './to-call.js';
import { Lockouts, Reasons } from './today-picture.js';

type Company = ResultOf<CompanyAdministration['readCompany']>;

interface TodayProps {
  readonly company: Company;
  readonly role: OperatorRole;
  readonly today: Today;
  readonly wanted: TodayQuery;
  readonly zone: string;
  readonly zoneIn: ZoneOfLocation;
  readonly gates: readonly GateToday[];
  /** Webhooks that are failing, or that the service switched off. */
  readonly webhooks: readonly Webhook[];
}

/** A gate with its newest tap. Undefined: nobody tapped there. */
export interface GateToday {
  readonly entry_point_id: string;
  readonly name: string;
  readonly location_id: string;
  /** Null where the company has only this one. */
  readonly location_name: string | null;
  readonly tap: (UnitReport & RentedUnits & { readonly tenant: string }) | undefined;
}

/** A company's day: each number leads to the list that it counts. */
export function TodayView(props: TodayProps) {
  if (props.company.locations.length === 0)
    return (
      <>
        <Damaged of={props.today.damaged_histories} />
        <NoLocation {...props} />
      </>
    );
  const date = dateOf(props);
  return (
    <>
      <Damaged of={props.today.damaged_histories} />
      <Tiles today={props.today} date={date} />
      <div class="split">
        <div class="stack">
          <ToCall {...props} />
          <Auction {...props} />
          <Alarms {...props} />
        </div>
        <div class="stack">
          <Lockouts {...props} date={date} />
          <Reasons {...props} date={date} />
          <Gates {...props} />
        </div>
      </div>
      <div class="section">
        <h2>Needs attention</h2>
      </div>
      <div class="grid">
        <Late {...props} />
        <UnsentTextList unsent={props.today.unsent_texts} zoneIn={props.zoneIn} />
        <FailedEquipment {...props} />
        <Changed {...props} />
      </div>
    </>
  );
}

function dateOf({ today, zone }: TodayProps): string {
  return localText(Date.parse(today.at), zone).slice(0, 10);
}

/** Only managers see the page of a lock. */
const DAMAGED_PAGES: Readonly<Partial<Record<DamagedHistory['kind'], (id: string) => string>>> = {
  unit: unitPath,
  tenant: tenantPath,
  location: locationPath,
  entry_point: gatePath,
  company: companyPath,
};

/** Things that take no more writes. */
function Damaged({ of }: { readonly of: readonly DamagedHistory[] }) {
  if (of.length === 0) return null;
  return (
    <p class="warning">
      Somebody damaged the stored history of{' '}
      {of.map((damaged, index) => (
        <>
          {index === 0 ? '' : ', '}
          <DamagedName {...damaged} />
        </>
      ))}
      . {of.length === 1 ? 'It takes no changes, and stays' : 'They take no changes, and stay'} as last known.
      Tell the person who runs the service, whose log says what happened.
    </p>
  );
}

function DamagedName({ kind, id, name }: DamagedHistory) {
  const pathOf = DAMAGED_PAGES[kind];
  const text = name ?? `this ${kind.replace('_', ' ')}`;
  return pathOf === undefined ? <>{text}</> : <a href={pathOf(id)}>{text}</a>;
}

/** Openings by tenants who were denied at that instant. */
function Alarms(props: TodayProps) {
  const {
    company: { company_id },
    today,
    zone,
    zoneIn,
  } = props;
  const { openings, first } = today.denied_openings;
  const isCut = isCutShort(props);
  if (openings === 0 && !isCut) return null;
  const rows = first.map((one) => ({
    key: one.log_id,
    cells: [
      <Happened of={one} zone={zoneIn(one.location_id)} precision="second" />,
      <a href={tenantPath(one.tenant_id)}>{one.tenant_name ?? 'Unknown'}</a>,
      one.entry_point_id === undefined ? one.name : <a href={gatePath(one.entry_point_id)}>{one.name}</a>,
      // Without `had_key`: the next cell says it.
      <TapResult of={{ event: 'unlock', result: 'success', failure_code: null, ...one, had_key: false }} />,
      one.had_key ? 'Given out before the lockout' : <Mark tone="bad">No key given out</Mark>,
    ],
  }));
  return (
    <Section title="Opened while locked out, since yesterday" id="openings">
      {openings === 0 ? (
        <Empty>None was found.</Empty>
      ) : (
        <>
          <Table
            caption="Openings while locked out, newest first"
            head={['When', 'Tenant', 'Where', 'Result', 'Key']}
            rows={rows}
          />
          <p class="hint">
            {first.every(({ had_key }) => had_key)
              ? ''
              : 'No key given out: the tenant held none from this service, so find out what opened it. '}
            {first.some(({ had_key }) => had_key)
              ? 'A key given out before a lockout works until it expires. '
              : ''}
            {openings > first.length ? (
              <a href={`${companyPath(company_id)}/changes`}>{`The newest ${first.length} of ${openings}`}</a>
            ) : null}
          </p>
        </>
      )}
      {isCut ? (
        <p class="hint">
          Only taps since <Instant at={today.changes.since} zone={zone} /> were checked: too much has happened
          since. Earlier taps are on the pages of units and gates.
        </p>
      ) : null}
    </Section>
  );
}

function NoLocation({ company: { company_id }, role }: TodayProps) {
  if (!mayDo(role, 'manager'))
    return <Empty>It has no location yet. From its first on this page tells what changed.</Empty>;
  return (
    <Empty>
      <a href={addPath(companyPath(company_id), 'location')}>Add a site</a> first: units, locks and gates
      belong to one. From then on this page tells what changed.
    </Empty>
  );
}

/** Numbers, each with a link to its list. */
function Numbers({ of }: { readonly of: readonly (readonly [href: string, text: ComponentChildren])[] }) {
  return (
    <ul class="numbers">
      {of.map(([href, text]) => (
        <li key={href}>
          <a href={href}>{text}</a>
        </li>
      ))}
    </ul>
  );
}

function Late({ company: { company_id, locations }, role, today, zone, webhooks }: TodayProps) {
  const { troubled_pull_sources, silent_tokens, rejected_bulks } = today;
  const troubles = [troubled_pull_sources, silent_tokens, rejected_bulks, webhooks];
  if (troubles.every(({ length }) => length === 0)) {
    return (
      <Section title="Sync problems">
        <Empty>All syncs up to date.</Empty>
      </Section>
    );
  }
  const nameOf = ({ name }: { readonly name: string }) =>
    role === 'admin' ? <a href={`${companyPath(company_id)}/api-tokens`}>{name}</a> : name;
  return (
    <Section title="Sync problems">
      <ul class="numbers">
        {silent_tokens.map((token) => (
          <li key={token.token_id}>
            {nameOf(token)}{' '}
            <Mark tone="warn">
              No request since <Instant at={token.last_used_at} zone={zone} />
            </Mark>
          </li>
        ))}
        {troubled_pull_sources.map((source) => (
          <li key={source.pull_source_id}>
            <a href={sourcePath(source)}>{source.name}</a> <SyncTroubles of={source} />
            <p class="hint">
              Last run <Instant at={source.last_run_at} zone={zone} />.{' '}
              {source.reasons.map(rejectionText).join(' ')}
            </p>
          </li>
        ))}
        {rejected_bulks.map((bulk) => (
          <li key={bulk.token_id}>
            {nameOf(bulk)} <RejectedRows of={bulk} zone={zone} />
          </li>
        ))}
        {webhooks.map((webhook) => (
          <li key={webhook.webhook_id}>
            Webhook <a href={webhookPath(webhook)}>{addressText(webhook.url)}</a>{' '}
            <WebhookMark of={webhook} zone={zone} />
          </li>
        ))}
      </ul>
      <ZoneHint locations={locations} />
    </Section>
  );
}

const DAY_MS = 24 * 60 * 60_000;

/** True if too many events of all companies followed to read back to yesterday. */
function isCutShort({ company: { created_at }, today: { at, changes } }: TodayProps): boolean {
  return Date.parse(changes.since) > Math.max(Date.parse(created_at), Date.parse(at) - DAY_MS);
}

/** Each gate leads to all that happened there. */
function Gates({ gates, zoneIn }: TodayProps) {
  if (gates.length === 0) return null;
  return (
    <Section title="Last taps at the gates">
      <ul class="numbers">
        {gates.map(({ entry_point_id, name, location_id, location_name, tap }) => (
          <li key={entry_point_id}>
            <a href={gatePath(entry_point_id)}>{name}</a>
            {location_name === null ? null : <> at {location_name}</>}
            {tap === undefined ? (
              <None>, nobody yet</None>
            ) : (
              <>
                , <Happened of={tap} zone={zoneIn(location_id)} />: <TapResult of={tap} />
                <br />
                <a href={tenantPath(tap.tenant_id)}>{tap.tenant}</a>
                <TenantUnits of={tap} />
              </>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Changed(props: TodayProps) {
  const { changes } = props.today;
  const path = `${companyPath(props.company.company_id)}/changes`;
  return (
    <Section title="What changed since yesterday">
      {changes.by_type.length === 0 ? (
        <Empty>Nothing.</Empty>
      ) : (
        <Numbers
          of={changes.by_type.map(({ type, events }) => [`${path}?type=${type}`, eventsText(type, events)])}
        />
      )}
      {isCutShort(props) ? (
        <p class="hint">
          There were too many to count: since <Instant at={changes.since} zone={props.zone} />.
        </p>
      ) : null}
    </Section>
  );
}
