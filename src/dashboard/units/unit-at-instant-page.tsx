import { aboutThing } from '../locations/location-frame.js';
import { Injectable } from '@nestjs/common';
import { toTimestamp } from '../../config/clock.js';
import { OperatorUnitHistoryController, WholeUnitAsOf } from '../../history/index.js';
import { errorOf, invalidField } from '../../http/api-error.js';
import { isPossibleId } from '../../http/possible-id.js';
import type { OperatorContext } from '../../http/request-context.js';
import { parseTimestamp } from '../../http/validation/rules.js';
import { UnitDirectory, type UnitDocument } from '../../units/index.js';
import { Page } from '../frame/page.js';
import { Instant } from '../parts/times.js';
import { instantText } from '../parts/words.js';
import { AsOf } from './as-of-forms.js';
import { NamedEntries } from './named-entries.js';
import { UnitAtInstantView } from './unit-at-instant-view.js';
import { unitPath } from './unit-list.js';
import { ENTRIES } from './unit-parts.js';
import { UnitLocationReader } from './unit-location.reader.js';

/** The page of a unit as it was. */
@Injectable()
export class UnitAtInstantPage {
  constructor(
    private readonly history: OperatorUnitHistoryController,
    private readonly named: NamedEntries,
    private readonly directory: UnitDirectory,
    private readonly whole: WholeUnitAsOf,
    private readonly location: UnitLocationReader,
  ) {}

  /** A page of status 404 before the unit existed. @throws ApiError 404 for no unit, 422 for what is no instant */
  async asOf(unit_id: string, at: string, { deadline }: OperatorContext): Promise<Page> {
    const instant = parseTimestamp(at);
    if (instant === undefined) throw invalidField('at', 'format', 'The at field must be a timestamp.');
    const now = isPossibleId(unit_id) ? await this.directory.byUnitId(unit_id) : undefined;
    if (now === undefined) throw errorOf('unit_not_found');
    const unit = await this.whole.of(now, instant, deadline);
    if (unit === undefined) return this.#notYet(now, instant);
    const [company, newest, until, reports, tenantNames] = await Promise.all([
      this.location.company(now.company_id),
      this.history.history(unit_id, { limit: ENTRIES, order: 'desc' }),
      this.named.history(unit_id, { limit: ENTRIES, order: 'desc', to: at }),
      this.named.withKeys(unit.reports),
      this.named.reporters(unit.reports),
    ]);
    const content = (
      <UnitAtInstantView
        unit={unit}
        reports={reports}
        newest={newest.data.entries}
        before={until.entries}
        hasOlder={until.next_cursor !== null}
        tenantNames={tenantNames}
        historyNames={until.names}
        now={company.clock.now()}
        company={company}
      />
    );
    return new Page(
      unit.unit_name,
      content,
      200,
      aboutThing({ ...unit, company_id: now.company_id }, `As of ${instantText(at, unit.location.timezone)}`),
    );
  }

  /** The page for an instant before the unit existed. */
  async #notYet({ unit_id, unit_name, company_id, location_id }: UnitDocument, at: number): Promise<Page> {
    const zone = await this.location.timezone(location_id);
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
