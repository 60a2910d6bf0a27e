import { Injectable } from '@nestjs/common';
import type { ComponentChild } from 'preact';
import { presentDecision, type Ties, UnitAccess, UnitGates } from '#domain/access/index.js';
import { ExplanationReads, UnitHistoryReads } from '#api/history/index.js';
import { toTimestamp } from '#kernel/timestamp.js';
import type { OperatorContext } from '#web/request-context.js';
import { fromCents } from '#kernel/money.js';
import { ToldNotices, UnitAdministration, UnitPeopleReader, UnitTransfers } from '#api/operator/index.js';
import { UnitDirectory, type UnitDocument } from '#domain/units/index.js';
import { Page, type Refused } from '../page/page.js';
import { aboutThing } from '../frame/location-frame.js';
import { Section } from '../parts/layout.js';
import { mayDo } from '../parts/roles.js';
import { nameOf } from '../parts/tenant-links.js';
import { predicateText } from '../parts/states.js';
import type { DecidedUnit } from './decision.js';
import { NamedEntries } from '../activity/named-entries.js';
import { UnitAccessView } from './unit-access-view.js';
import type { DayOf } from './report-table.js';
import { recentDayText, zoneText } from '../parts/words.js';
import { UnitRecords } from './unit-records.js';
import {
  idleOverrideText,
  keysStillOpenText,
  isStandalone,
  noKeyText,
  opensNothingText,
} from './sentence.js';
import type { UnitDetail } from './unit-detail.js';
import { ToldList } from '../notices/told-list.js';
import { type PartCounts, partTitle, UnitFrame, type UnitPart } from './unit-frame.js';
import { FewUnitActs, UnitActs } from './unit-acts.js';
import { UnitBrief, UnitVerdict } from './unit-head.js';
import { type Period, periodOf } from './unit-time.js';
import { UnitHistoryView } from './unit-history-view.js';
import { unitPath } from '../links/paths.js';
import { UnitSetupView } from './unit-setup-view.js';
import { type NamedTies, othersText } from './unit-ties.js';
import { type UnitCompany, UnitLocationReader } from './unit-location.reader.js';
import { chartStateOf, ENTRIES, REPORTS } from './unit-parts.js';

/** Texts that the page lists. */
const TEXTS = 10;
/** Most units of the tenant that are named beside an override. */
const MOST_NAMED = 20;

interface Beside {
  /** Cursor of the next page of a list. */
  readonly cursor?: string | undefined;
}

/** The parts of a unit's page as it is, for a visitor and for a form that was refused. */
@Injectable()
export class UnitTabs {
  constructor(
    private readonly units: UnitAdministration,
    private readonly named: NamedEntries,
    private readonly records: UnitRecords,
    private readonly histories: UnitHistoryReads,
    private readonly explanation: ExplanationReads,
    private readonly location: UnitLocationReader,
    private readonly gates: UnitGates,
    private readonly directory: UnitDirectory,
    private readonly decisions: UnitAccess,
    private readonly transfers: UnitTransfers,
    private readonly told: ToldNotices,
    private readonly people: UnitPeopleReader,
  ) {}

  /** @throws ApiError 404 */
  async access(
    unit_id: string,
    context: OperatorContext,
    refused?: Refused,
    period: Period = periodOf(),
  ): Promise<Page> {
    const document = await this.units.findUnit(unit_id);
    const unit = await this.units.readDetail(document);
    const mayChange = mayDo(context.principal.role, 'manager');
    const [
      company,
      explained,
      gates,
      { ties, next },
      resolution,
      history,
      reports,
      lastReports,
      people,
      targets,
    ] = await Promise.all([
      this.location.readCompany(unit.company_id),
      this.explanation.explainUnitForOperator(document, context.deadline),
      this.#gates(unit),
      this.#outlook(document),
      this.#cures(unit.access),
      this.named.listHistory(unit_id, { limit: ENTRIES, order: 'desc' }),
      this.named.listReports(unit_id, { limit: REPORTS }),
      this.location.readLastReports(unit.locks),
      this.people.readPeopleOf(document),
      mayChange && unit.facts.occupied && isStandalone(unit)
        ? this.transfers.findTargets(unit.location.id)
        : [],
    ]);
    const { checks } = explained;
    const decided: DecidedUnit = { ...unit, access: { ...unit.access, checks, resolution }, next };
    const now = company.clock.now();
    const head = <UnitVerdict {...{ unit, decided, ties }} />;
    const acts = <UnitActs {...{ unit, decided, gates, ties, targets, mayChange, now, refused }} />;
    const content = (
      <UnitAccessView
        {...{ unit, decided, gates, ties, period, lastReports, people, mayChange, now, refused }}
        entries={history.entries}
        reports={reports.entries}
      />
    );
    const counts = countsOf({ history, reports });
    return pageOf({ unit, company, counts, head, acts, ties, status: refused?.status, current: '' }, content);
  }

  /** The picture of its time above the newest entries; with a cursor older entries alone. @throws ApiError 404 */
  async history(unit_id: string, { principal }: OperatorContext, { cursor }: Beside): Promise<Page> {
    const unit = await this.units.readUnit(unit_id);
    const [company, list, newest] = await Promise.all([
      this.location.readCompany(unit.company_id),
      this.records.history(unit_id, unit.location).show(cursor),
      this.#newest(unit_id),
    ]);
    const { history, reports } = newest;
    const entries = { entries: history.entries, reports: reports.entries };
    const content = (
      <UnitHistoryView
        path={unitPath(unit_id)}
        zone={unit.location.timezone}
        currency={unit.location.currency}
        list={list.view}
        picture={cursor ? undefined : { ...entries, current: chartStateOf(unit), now: company.clock.now() }}
        isDamaged={!cursor && history.damage !== null}
      />
    );
    const acts = fewActs(unit, company, principal);
    return pageOf({ unit, company, acts, counts: countsOf(newest), current: '/history' }, content);
  }

  /** @throws ApiError 404 */
  async activity(
    unit_id: string,
    { principal, deadline }: OperatorContext,
    { cursor }: Beside,
  ): Promise<Page> {
    const unit = await this.units.readUnit(unit_id);
    const zone = unit.location.timezone;
    const company = await this.location.readCompany(unit.company_id);
    const now = company.clock.now();
    const dayOf: DayOf = (at) => recentDayText(at, zone, now);
    const [history, { notices }, { page, view }] = await Promise.all([
      this.#newestHistory(unit_id),
      this.told.listOfUnit(unit_id, { limit: TEXTS }),
      this.records.activity(unit_id, unit.location, { dayOf, deadline }).show(cursor),
    ]);
    const content = (
      <>
        <Section title="Activity, newest first">
          <p class="hint">
            Taps at its locks, and at up to 20 gates that lead to it, by its tenant and those who share it. Of
            gates, the newest 2,000 taps are searched here, and all in the CSV file. Gates that were removed
            are left out. Times are those of the site ({zoneText(zone)}).
          </p>
          {view}
        </Section>
        <ToldList notices={notices} zone={unit.location.timezone} />
      </>
    );
    const acts = fewActs(unit, company, principal);
    // Behind the first page there are more taps than it shows.
    const reports = cursor
      ? { entries: { length: REPORTS }, next_cursor: cursor }
      : { entries: page.rows, next_cursor: page.next_cursor };
    const counts = countsOf({ history, reports });
    return pageOf({ unit, company, acts, counts, current: '/activity' }, content);
  }

  /** @throws ApiError 404 */
  async setup(unit_id: string, { principal }: OperatorContext, refused?: Refused): Promise<Page> {
    const unit = await this.units.readUnit(unit_id);
    const mayChange = mayDo(principal.role, 'manager');
    const [company, newest, locks, zones, batteries] = await Promise.all([
      this.location.readCompany(unit.company_id),
      this.#newest(unit_id),
      mayChange ? this.location.findFreeLocks(unit.location.id) : undefined,
      mayChange ? this.location.listZones(unit.location.id) : [],
      this.location.findLowBatteries(unit.locks),
    ]);
    const content = (
      <UnitSetupView
        unit={unit}
        freeLocks={locks}
        batteries={batteries}
        otherZones={zones.filter(({ zone_id }) => unit.zones.every((one) => one.zone_id !== zone_id))}
        mayChange={mayChange}
        refused={refused}
      />
    );
    return pageOf(
      {
        unit,
        company,
        acts: fewActs(unit, company, principal, refused),
        counts: countsOf(newest),
        status: refused?.status,
        current: '/setup',
      },
      content,
    );
  }

  async #newest(unit_id: string) {
    const [history, reports] = await Promise.all([
      this.#newestHistory(unit_id),
      this.named.listReports(unit_id, { limit: REPORTS }),
    ]);
    return { history, reports };
  }

  #newestHistory(unit_id: string) {
    return this.histories.listForOperator(unit_id, { limit: ENTRIES, order: 'desc' });
  }

  async #gates({ unit_id, company_id, location, tenant, zones }: UnitDetail) {
    if (tenant === null || zones.length === 0) return [];
    const { tenant_id } = tenant;
    return this.gates.findGates({ unit_id, tenant_id, company_id, location_id: location.id });
  }

  /** The tenant's units that an override affects, and the change ahead. */
  async #outlook(
    unit: UnitDocument,
  ): Promise<{ readonly ties: NamedTies; readonly next: DecidedUnit['next'] }> {
    const { others, keptOpenBy, next } = await this.decisions.outlook(unit);
    const ahead = next === null ? null : presentDecision(next);
    return {
      ties: await this.#named({ others, keptOpenBy }),
      next: ahead && {
        ...ahead,
        resolution: await this.#cures(ahead),
        from: toTimestamp(next!.from),
      },
    };
  }

  async #named({ others, keptOpenBy }: Ties): Promise<NamedTies> {
    const named = others.slice(0, MOST_NAMED);
    const keeping = keptOpenBy.slice(0, MOST_NAMED);
    const documents = await this.directory.byUnitIds([...named, ...keeping].map(({ unit_id: id }) => id));
    const names = new Map(documents.map(({ unit_id: id, unit_name }) => [id, unit_name]));
    const nameOf = ({ unit_id: id, crm_unit_id }: SubjectNames) => ({
      unit_id: id,
      unit_name: names.get(id) ?? crm_unit_id,
    });
    return {
      others: named.map((one) => ({ ...nameOf(one), locksAt: one.locksAt })),
      more: others.length - named.length,
      keptOpenBy: keeping.map((one) => ({ ...nameOf(one), until: one.override?.expires_at ?? null })),
    };
  }

  /** The changes that restore access, with the name of each unit and the balance of each that owes. */
  async #cures({
    resolution,
  }: Pick<UnitDetail['access'], 'resolution'>): Promise<DecidedUnit['access']['resolution']> {
    if (resolution === null) return null;
    const found = await this.directory.byUnitIds(resolution.flatMap(({ unit_id }) => unit_id ?? []));
    const units = new Map(found.map((unit) => [unit.unit_id, unit]));
    return resolution.map((cure) => {
      const unit = units.get(cure.unit_id ?? '');
      if (unit === undefined) return cure;
      const { unit_name, facts } = unit;
      return {
        ...cure,
        unit_name,
        ...(cure.field === 'balance_due' && { amount: fromCents(facts.balance_due) }),
      };
    });
  }
}

/** The beginning of a list. */
interface Counted {
  readonly entries: { readonly length: number };
  readonly next_cursor: string | null;
}

function countsOf({ history, reports }: Readonly<Record<'history' | 'reports', Counted>>): PartCounts {
  return { '/history': countedText(history), '/activity': countedText(reports) };
}

/** `18`; `100+` where the list goes on. */
function countedText({ entries: { length }, next_cursor }: Counted): string | undefined {
  if (length === 0) return undefined;
  return `${length}${next_cursor === null ? '' : '+'}`;
}

interface SubjectNames {
  readonly unit_id: string;
  readonly crm_unit_id: string;
}

interface PageParts {
  readonly unit: UnitDetail;
  readonly company: UnitCompany;
  readonly current: UnitPart;
  readonly counts: PartCounts;
  readonly head?: ComponentChild;
  readonly acts: ComponentChild;
  /** Absent: 200. */
  readonly status?: number | undefined;
  readonly ties?: NamedTies;
}

function fewActs(
  unit: UnitDetail,
  company: UnitCompany,
  { role }: OperatorContext['principal'],
  refused?: Refused,
) {
  return <FewUnitActs {...{ unit, refused }} now={company.clock.now()} mayChange={mayDo(role, 'manager')} />;
}

function pageOf(
  { unit, company, current, counts, head, acts, ties, status }: PageParts,
  content: ComponentChild,
): Page {
  const framed = <UnitFrame {...{ unit, company, current, counts, head }}>{content}</UnitFrame>;
  const idle = unit.override === null ? undefined : idleOverrideText(unit.access.state);
  const others = ties === undefined ? '' : othersText(ties, unit);
  const noKey = unit.access.state === 'tenant_permitted' ? noKeyText(unit) : '';
  const said = [
    `${unit.unit_name} ${predicateText(unit.access)}.${others}`,
    idle,
    opensNothingText(unit),
    noKey,
    keysStillOpenText(unit),
  ];
  const outcome = said.filter(Boolean).join(' ');
  const about = {
    ...aboutThing(unit, partTitle(current)),
    outcome,
    acts,
    sub: <UnitBrief unit={unit} />,
    ...(unit.tenant !== null && { messages: { moved_in: `${nameOf(unit.tenant)} is moved in.` } }),
  };
  return new Page(unit.unit_name, framed, status, about);
}
