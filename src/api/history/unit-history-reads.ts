import { Injectable } from '@nestjs/common';
import type { Actor } from '#eventsourcing/log/domain-event.js';
import { errorOf } from '#kernel/errors/api-error.js';
import { parseTimestamp } from '#kernel/timestamp.js';
import { type HistoryPage, UnitHistory } from '#domain/history/index.js';
import { UnitDirectory, type UnitDocument } from '#domain/units/index.js';
import { type AsOfQuery, type HistoryQuery, rangeOf } from './history.dto.js';

const NOT_THEN = 'The unit did not exist at that instant. Its history says when it began.';

/** The history of a unit, for integrators and for operators, who name units differently. */
@Injectable()
export class UnitHistoryReads {
  constructor(
    private readonly units: UnitDirectory,
    private readonly histories: UnitHistory,
  ) {}

  /** @throws ApiError 404 */
  async listForIntegrator(company_id: string, key: string, query: HistoryQuery): Promise<HistoryPage> {
    return withoutNames(await this.#list(found(await this.units.byPathKey(company_id, key)), query));
  }

  /** @throws ApiError 404 */
  async listForOperator(unit_id: string, query: HistoryQuery): Promise<HistoryPage> {
    return this.#list(found(await this.units.byUnitId(unit_id)), query);
  }

  /** @throws ApiError 404, also if the unit did not exist then */
  async readAsOfForIntegrator(company_id: string, key: string, query: AsOfQuery) {
    const unit = found(await this.units.byPathKey(company_id, key));
    return existed(await this.histories.asOf(unit, parseTimestamp(query.at)!));
  }

  /** With who could open it then. @throws ApiError 404, also if the unit did not exist then */
  async readAsOfForOperator(unit_id: string, query: AsOfQuery) {
    const unit = found(await this.units.byUnitId(unit_id));
    return existed(await this.histories.asOfWithPeople(unit, parseTimestamp(query.at)!));
  }

  async #list(unit: UnitDocument, query: HistoryQuery): Promise<HistoryPage> {
    return this.histories.page(unit, rangeOf(query));
  }
}

/** @throws ApiError 404 */
function found(unit: UnitDocument | undefined): UnitDocument {
  if (unit === undefined) throw errorOf('unit_not_found');
  return unit;
}

/** @throws ApiError 404 */
function existed<Then>(then: Then | undefined): Then {
  if (then === undefined) throw errorOf('unit_not_found', { hint: NOT_THEN });
  return then;
}

/** The name of an operator is the e-mail address. A PMS does not know whom a tenant lets in. */
const UNNAMED: ReadonlySet<string> = new Set<Actor['kind']>(['operator', 'tenant']);

/** Without names that callers with an API token may not see. */
function withoutNames(page: HistoryPage): HistoryPage {
  const entries = page.entries.map((entry) =>
    UNNAMED.has(entry.actor.kind) ? { ...entry, actor: { ...entry.actor, name: null } } : entry,
  );
  return { ...page, entries };
}
