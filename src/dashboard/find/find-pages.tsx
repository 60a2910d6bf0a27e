import { Get } from '@nestjs/common';
import {
  Context,
  Costly,
  ForOperators,
  LARGEST_PAGE,
  type OperatorContext,
  PlainQuery,
  validQuery,
} from '../../http/index.js';
import {
  OperatorUnitsController,
  TenantReadsController,
  TenantSearchQuery,
  UnitSearchQuery,
} from '../../operator/index.js';
import { Page, type StreamedDownload } from '../frame/page.js';
import { Pages } from '../frame/pages.js';
import { csvOfPages } from '../parts/csv.js';
import { CsvLink, Empty, Section } from '../parts/layout.js';
import { withQuery } from '../parts/with-query.js';
import { TENANT_COLUMNS, TenantTable } from '../tenants/tenant-list.js';
import { UNIT_COLUMNS, unitRows, UnitTable } from '../units/unit-list.js';

interface FindQuery {
  readonly q?: unknown;
  /** Where the list of units goes on. */
  readonly units?: unknown;
  readonly tenants?: unknown;
}

const LONGEST = 255;
const LIMIT = '20';

/** One box that finds units and tenants. */
@ForOperators('auditor')
@Pages('dashboard/find')
export class FindPages {
  constructor(
    private readonly units: OperatorUnitsController,
    private readonly tenants: TenantReadsController,
  ) {}

  @Costly()
  @Get()
  async find(
    @PlainQuery() { q, units, tenants }: FindQuery,
    @Context() context: OperatorContext,
  ): Promise<Page> {
    const text = textOf(q);
    return new Page(
      'Find',
      <div id="found">
        {text === '' ? <Nothing /> : await this.#found(text, { units, tenants }, context)}
      </div>,
    );
  }

  @Costly()
  @Get('units.csv')
  async unitsCsv(
    @PlainQuery() { q }: FindQuery,
    @Context() context: OperatorContext,
  ): Promise<StreamedDownload> {
    const read = (cursor?: string) => this.#units(textOf(q), String(LARGEST_PAGE), context, cursor);
    return csvOfPages('units', UNIT_COLUMNS, { read, rows: unitRows });
  }

  @Costly()
  @Get('tenants.csv')
  async tenantsCsv(
    @PlainQuery() { q }: FindQuery,
    @Context() context: OperatorContext,
  ): Promise<StreamedDownload> {
    const read = (cursor?: string) => this.#tenants(textOf(q), String(LARGEST_PAGE), context, cursor);
    return csvOfPages('tenants', TENANT_COLUMNS, { read, rows: ({ tenants }) => tenants });
  }

  async #units(q: string, limit: string, context: OperatorContext, from?: unknown) {
    const query = validQuery(UnitSearchQuery, { q, limit, ...cursorOf(from) });
    return (await this.units.list(query, context)).data;
  }

  async #tenants(q: string, limit: string, context: OperatorContext, from?: unknown) {
    const query = validQuery(TenantSearchQuery, { q, limit, ...cursorOf(from) });
    return (await this.tenants.list(query, context)).data;
  }

  async #found(q: string, from: Omit<FindQuery, 'q'>, context: OperatorContext) {
    const [units, tenants] = await Promise.all([
      pageWithNext(
        (cursor) => this.#units(q, LIMIT, context, cursor),
        ({ units }) => units,
        from.units,
      ),
      pageWithNext(
        (cursor) => this.#tenants(q, LIMIT, context, cursor),
        ({ tenants }) => tenants,
        from.tenants,
      ),
    ]);
    return (
      <>
        <Section title="Units">
          {units.units.length === 0 ? (
            <Empty>
              {isLast(units, from.units)
                ? `No unit has “${q}” in its name or its PMS id, and no tenant whose name begins so rents one.`
                : NOT_HERE}
            </Empty>
          ) : (
            <UnitTable caption={`Units found for ${q}`} units={units.units} />
          )}
          <More q={q} of="units" cursor={units.next_cursor} />
          <CsvLink path={withQuery('/dashboard/find/units.csv', { q })} />
        </Section>
        <Section title="Tenants">
          {tenants.tenants.length === 0 ? (
            <Empty>
              {isLast(tenants, from.tenants)
                ? `No tenant’s name, e-mail, phone number or PMS id begins with “${q}”.`
                : NOT_HERE}
            </Empty>
          ) : (
            <TenantTable tenants={tenants.tenants} />
          )}
          <More q={q} of="tenants" cursor={tenants.next_cursor} />
          <CsvLink path={withQuery('/dashboard/find/tenants.csv', { q })} />
        </Section>
      </>
    );
  }
}

const NOT_HERE = 'None in what was looked through by this page.';

function textOf(q: unknown): string {
  return typeof q === 'string' ? q.trim().slice(0, LONGEST) : '';
}

function cursorOf(given: unknown): { cursor?: string } {
  return typeof given === 'string' && given !== '' ? { cursor: given } : {};
}

/**
 * A page of what is found. What is left to look through may hold nothing: then nothing follows, as far as one more page
 * looks.
 */
async function pageWithNext<P extends { readonly next_cursor: string | null }>(
  read: (cursor: unknown) => Promise<P>,
  foundIn: (page: P) => readonly unknown[],
  from: unknown,
): Promise<P> {
  const page = await read(from);
  if (page.next_cursor === null || foundIn(page).length === 0) return page;
  const next = await read(page.next_cursor);
  return foundIn(next).length > 0 ? page : { ...page, next_cursor: next.next_cursor };
}

/** Whether a page is all there is, so that where it tells nothing there is nothing. */
function isLast({ next_cursor }: { readonly next_cursor: string | null }, from: unknown): boolean {
  return next_cursor === null && cursorOf(from).cursor === undefined;
}

interface MoreProps {
  readonly q: string;
  readonly of: 'units' | 'tenants';
  readonly cursor: string | null;
}

/** Says that not everything was looked through, and leads on. */
function More({ q, of, cursor }: MoreProps) {
  if (cursor === null) return null;
  return (
    <p class="next">
      There may be more {of}.{' '}
      <a href={withQuery('/dashboard/find', { q, [of]: cursor })} rel="next">
        Look on
      </a>
    </p>
  );
}

function Nothing() {
  return (
    <Empty>
      Type a unit, a tenant’s name, a phone number (with its + or without), an e-mail or a PMS id into the box
      above.
    </Empty>
  );
}
