import { aboutThing } from '../frame/location-frame.js';
import { Injectable } from '@nestjs/common';
import { toTimestamp, parseTimestamp } from '#kernel/timestamp.js';
import { presentUnit, UnitAccess } from '#domain/access/index.js';
import { UnitHistoryReads } from '#api/history/index.js';
import { WholeUnitAsOf } from '#domain/history/index.js';
import { errorOf, invalidField } from '#kernel/errors/api-error.js';
import { isPossibleId } from '#kernel/possible-id.js';
import type { OperatorContext } from '#web/request-context.js';
import { UnitDirectory, type UnitDocument } from '#domain/units/index.js';
import { Page } from '../page/page.js';
import { Instant } from '../parts/times.js';
import { instantText } from '../parts/words.js';
import { AsOf, AsOfMenu } from './as-of-forms.js';
import { NamedEntries } from '../activity/named-entries.js';
import { UnitAtInstantView } from './unit-at-instant-view.js';
import { unitPath } from '../links/paths.js';
import { chartStateOf, ENTRIES } from './unit-parts.js';
import { UnitLocationReader } from './unit-location.reader.js';

/** The page of a unit as it was. */
@Injectable()
export class UnitAtInstantPage {
  constructor(
    private readonly access: UnitAccess,
    private readonly history: UnitHistoryReads,
    private readonly named: NamedEntries,
    private readonly directory: UnitDirectory,
    private readonly whole: WholeUnitAsOf,
    private readonly location: UnitLocationReader,
  ) {}

  /** A page of status 404 before the unit existed. @throws ApiError 404 for no unit, 422 for what is no instant */
  async showAt(unit_id: string, at: string, { deadline }: OperatorContext): Promise<Page> {
    const instant = parseTimestamp(at);
    if (instant === undefined) throw invalidField('at', 'format', 'The at field must be a timestamp.');
    const now = isPossibleId(unit_id) ? await this.directory.byUnitId(unit_id) : undefined;
    if (now === undefined) throw errorOf('unit_not_found');
    const unit = await this.whole.readUnit(now, instant, deadline);
    if (unit === undefined) return this.#notYet(now, instant);
    const [[present], company, newest, until, reports, tenantNames] = await Promise.all([
      this.access.describe([now]),
      this.location.readCompany(now.company_id),
      this.history.listForOperator(unit_id, { limit: ENTRIES, order: 'desc' }),
      this.named.listHistory(unit_id, { limit: ENTRIES, order: 'desc', to: at }),
      this.named.withAccess(now, unit.reports, deadline).then((judged) => this.named.withHadKey(judged)),
      this.named.findReporters(unit.reports),
    ]);
    const content = (
      <UnitAtInstantView
        unit={unit}
        current={chartStateOf(presentUnit(present!))}
        reports={reports}
        newest={newest.entries}
        entriesUntil={until.entries}
        hasOlder={until.next_cursor !== null}
        tenantNames={tenantNames}
        historyNames={until.names}
        company={company}
      />
    );
    const zone = unit.location.timezone;
    return new Page(unit.unit_name, content, 200, {
      ...aboutThing({ ...unit, company_id: now.company_id }, `As of ${instantText(at, zone)}`),
      acts: <AsOfMenu path={unitPath(unit_id)} zone={zone} at={instant} />,
    });
  }

  /** The page for an instant before the unit existed. */
  async #notYet({ unit_id, unit_name, company_id, location_id }: UnitDocument, at: number): Promise<Page> {
    const zone = await this.location.readTimezone(location_id);
    const path = unitPath(unit_id);
    const content = (
      <>
        <p class="warning">
          It was not there yet on <Instant at={toTimestamp(at)} zone={zone} />.{' '}
          <a href={path}>See it as it is now</a>
        </p>
        <AsOf path={path} zone={zone} at={at} />
      </>
    );
    return new Page(unit_name, content, 404, { company_id });
  }
}
