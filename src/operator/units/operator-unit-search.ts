import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ListUnits, presentUnit, type UnitPage } from '../../access/index.js';
import type { OperatorPrincipal } from '../../http/index.js';
import { isRetired } from '../../units/index.js';
import type { UnitSearchQuery } from './operator-units.dto.js';

const USUAL_PAGE = 100;
/** Pages that one request reads through in search of a text before it answers with what it has. */
const MOST_PAGES = 20;

/** Lists units over the companies an operator is of. A search for text or a reason reads pages until one has a hit: a page may be short. */
@Injectable()
export class OperatorUnitSearch {
  constructor(private readonly queries: QueryBus) {}

  async page({ q, cursor, limit = USUAL_PAGE, ...filter }: UnitSearchQuery, operator: OperatorPrincipal) {
    const wanted = { companies: operator.companies ?? undefined, ...filter };
    let next: string | null | undefined = cursor;
    for (let read = 1; ; read += 1) {
      const page: UnitPage = await this.queries.execute(
        new ListUnits({ ...wanted, cursor: next ?? undefined, limit }),
      );
      next = page.next_cursor;
      const units = page.units.filter(({ unit }) => q === undefined || names(unit, q));
      if (units.length > 0 || next === null || read === MOST_PAGES) {
        const shown = units.map((one) => ({
          ...presentUnit(one, false),
          company_id: one.unit.company_id,
          retired: isRetired(one.unit),
        }));
        return { units: shown, next_cursor: next };
      }
    }
  }
}

function names(unit: { readonly crm_unit_id: string; readonly unit_name: string }, text: string): boolean {
  const wanted = text.toLowerCase();
  return unit.crm_unit_id.toLowerCase().includes(wanted) || unit.unit_name.toLowerCase().includes(wanted);
}
