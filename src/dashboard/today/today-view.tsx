import type { LockoutDays } from '#domain/history/index.js';
import type { OperatorRole } from '#kernel/principals.js';
import type { ResultOf } from '#kernel/result-of.js';
import type { ComponentChildren } from 'preact';
import type { CompanyAdministration, DamagedHistory, Today, TodayQuery } from '#api/operator/index.js';
import { RejectedRows } from '../companies/rejected-rows.js';
import { ZoneHint, type ZoneOfLocation } from '../frame/company-frame.js';
import { GatesTodayCard } from '../gates/gates-today.js';
import type { GatesToday } from '../gates/gates-today.reader.js';
import {
  companyPath,
  gatePath,
  locationPath,
  sourcePath,
  tenantPath,
  unitPath,
  webhookPath,
} from '../links/paths.js';
import { UnsentTextList } from '../notices/unsent-texts.js';
import { addPath } from '../parts/drawer.js';
import { Icon } from '../parts/icon.js';
import { rejectionText } from '../parts/labels.js';
import { Empty, Section } from '../parts/layout.js';
import { mayDo } from '../parts/roles.js';
import { Mark } from '../parts/states.js';
import { Instant } from '../parts/times.js';
import { countText, eventsText, localDate } from '../parts/words.js';
import { SyncTroubles } from '../pull/sync-mark.js';
import { SiteCards } from '../site/site-cards.js';
import { addressText, type Webhook, WebhookMark } from '../webhooks/webhook-texts.js';
import { Alarms } from './alarms.js';
import { isCutShort } from './cut-short.js';
import { FailedEquipment } from './failed-equipment.js';
import { Tiles } from './tiles.js';
import { Auction, ToCall } from './to-call.js';
import { Lockouts } from './today-picture.js';

type Company = ResultOf<CompanyAdministration['readCompany']>;

interface TodayProps {
  readonly company: Company;
  readonly role: OperatorRole;
  readonly today: Today;
  readonly wanted: TodayQuery;
  readonly zone: string;
  readonly zoneIn: ZoneOfLocation;
  /** Undefined: no site has a gate. */
  readonly gatesToday: GatesToday | undefined;
  /** Of the first sites, in their order. */
  readonly counted: ResultOf<LockoutDays['readDays']>;
  /** False for an operator of some sites. */
  readonly isWhole: boolean;
  /** Webhooks that are failing, or that the service switched off. */
  readonly webhooks: readonly Webhook[];
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
      <SyncWarning {...props} />
      <Tiles today={props.today} date={date} firstDate={firstDateOf(props)} />
      <div class="split">
        <ToCall {...props} />
        <div class="stack">
          <Lockouts {...props} date={date} />
          <Gates {...props} />
        </div>
      </div>
      <Sites {...props} />
      <div class="section">
        <h2>Needs attention</h2>
      </div>
      <div class="split even">
        <div class="stack">
          <Alarms {...props} />
          <Auction {...props} />
          <UnsentTextList unsent={props.today.unsent_texts} zoneIn={props.zoneIn} />
        </div>
        <div class="stack">
          <Late {...props} />
          <FailedEquipment {...props} />
          <Changed {...props} />
        </div>
      </div>
    </>
  );
}

function Gates({ company: { company_id, locations }, gatesToday, zoneIn, today: { at } }: TodayProps) {
  if (gatesToday === undefined || locations.length === 0) return null;
  return (
    <GatesTodayCard
      today={gatesToday}
      zoneIn={zoneIn}
      now={Date.parse(at)}
      path={`${companyPath(company_id)}/gates`}
    />
  );
}

/** One site is in the side bar, and its figures above. */
function Sites(props: TodayProps) {
  const { company, counted, role, isWhole, today } = props;
  const { company_id, locations } = company;
  if (locations.length < 2) return null;
  const path = companyPath(company_id);
  return (
    <>
      <div class="section">
        <h2>
          <a href={path}>Sites</a>
        </h2>
        <span class="count">{locations.length}</span>
        {isWhole && mayDo(role, 'manager') ? (
          <a class="button small" href={addPath(path, 'location')}>
            <Icon name="plus" />
            Add site
          </a>
        ) : null}
      </div>
      <SiteCards
        sites={locations.slice(0, counted.length)}
        now={Date.parse(today.at)}
        counted={counted}
        lockedOut={today.locked_out.locations}
      />
      {counted.length < locations.length ? (
        <p class="next">
          <a href={path}>All {locations.length} sites</a>
        </p>
      ) : null}
    </>
  );
}

function dateOf({ today, zone }: TodayProps): string {
  return localDate(Date.parse(today.at), zone);
}

function firstDateOf({ company: { created_at }, zone }: TodayProps): string {
  return localDate(Date.parse(created_at), zone);
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

function NoLocation({ company: { company_id }, role }: TodayProps) {
  if (!mayDo(role, 'manager'))
    return <Empty>It has no site yet. From its first on this page tells what changed.</Empty>;
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

const SYNC_PROBLEMS = 'sync-problems';

/** What is late or failed, each with its own row below. */
function troublesIn({ today, webhooks }: TodayProps): number {
  const { troubled_pull_sources, silent_tokens, rejected_bulks } = today;
  const lists = [troubled_pull_sources, silent_tokens, rejected_bulks, webhooks];
  return lists.reduce((sum, { length }) => sum + length, 0);
}

/** Said above the figures, which may be old while a sync fails. */
function SyncWarning(props: TodayProps) {
  const troubles = troublesIn(props);
  if (troubles === 0) return null;
  return (
    <p class="warning">
      {countText(troubles, 'sync problem')}. <a href={`#${SYNC_PROBLEMS}`}>See what failed</a>
    </p>
  );
}

function Late(props: TodayProps) {
  const { company, role, today, zone, webhooks } = props;
  const { company_id, locations } = company;
  const { troubled_pull_sources, silent_tokens, rejected_bulks } = today;
  if (troublesIn(props) === 0) {
    return (
      <Section title="Sync problems">
        <Empty>All syncs up to date.</Empty>
      </Section>
    );
  }
  const nameOf = ({ name }: { readonly name: string }) =>
    role === 'admin' ? <a href={`${companyPath(company_id)}/api-tokens`}>{name}</a> : name;
  return (
    <Section title="Sync problems" id={SYNC_PROBLEMS}>
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
          <li key={`${bulk.token_id} ${bulk.at}`}>
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

/** Kinds of changes that Today counts, the most frequent first. */
const MOST_KINDS = 8;

function Changed(props: TodayProps) {
  const { changes } = props.today;
  const rest = changes.by_type.length - MOST_KINDS;
  const path = `${companyPath(props.company.company_id)}/changes`;
  return (
    <Section title="What changed in the last 24 hours">
      {changes.by_type.length === 0 ? (
        <Empty>Nothing.</Empty>
      ) : (
        <Numbers
          of={changes.by_type
            .slice(0, MOST_KINDS)
            .map(({ type, events }) => [`${path}?type=${type}`, eventsText(type, events)])}
        />
      )}
      {rest > 0 ? (
        <p class="next">
          <a href={path}>{countText(rest, 'more kind')} of changes</a>
        </p>
      ) : null}
      {isCutShort(props) ? (
        <p class="hint">
          There were too many to count: since <Instant at={changes.since} zone={props.zone} />.
        </p>
      ) : null}
    </Section>
  );
}
