import { type CountedUnits, type LockoutDays, UNIT_MARKS } from '#domain/history/index.js';
import { fromCents } from '#kernel/money.js';
import type { ResultOf } from '#kernel/result-of.js';
import { addPath } from '../parts/drawer.js';
import { locationPath } from '../links/paths.js';
import { withQuery } from '../links/with-query.js';
import { None } from '../parts/layout.js';
import { amountText, countText, instantText, localDate } from '../parts/words.js';
import { isFresh } from './counted.js';
import { MiniMap } from '../pictures/mini-map.js';

type Counted = ResultOf<LockoutDays['readDays']>[number];

interface CardedSite {
  readonly location_id: string;
  readonly name: string;
  readonly timezone: string;
  readonly currency: string;
}

interface SiteCardsProps {
  readonly sites: readonly CardedSite[];
  /** In the order of the sites. */
  readonly counted: readonly Counted[];
  /** By the company's clock, in milliseconds. */
  readonly now: number;
  /** Given where the page has counted them itself: the cards show nothing older. */
  readonly lockedOut?: readonly LockedOutAt[];
}

/** What is locked out at a site now, and owed there. */
interface LockedOutAt {
  readonly location_id: string;
  readonly units: number;
  /** A decimal amount. */
  readonly owed: number;
}

/** A card for each site, as it was counted within the last quarter of an hour. */
export function SiteCards({ sites, counted, now, lockedOut }: SiteCardsProps) {
  return (
    <div class="thirds sites">
      {sites.map((site, index) => (
        <SiteCard
          key={site.location_id}
          site={site}
          counted={freshOf(counted[index], now)}
          lockedOut={lockedOut?.find(({ location_id }) => location_id === site.location_id)}
        />
      ))}
    </div>
  );
}

/** Undefined where the count is from before an outage: it is being made anew. */
function freshOf(counted: Counted, now: number): Counted {
  return counted !== undefined && isFresh(counted.counted_at, now) ? counted : undefined;
}

interface SiteCardProps {
  readonly site: CardedSite;
  readonly counted: Counted;
  /** Undefined: the page has not counted them. */
  readonly lockedOut: LockedOutAt | undefined;
}

function SiteCard({ site, counted, lockedOut }: SiteCardProps) {
  const { location_id, name, timezone } = site;
  const path = locationPath(location_id);
  return (
    <article class="card bare site">
      <div class="site-top">
        <h3>
          <a href={path}>{name}</a>
        </h3>
        {counted?.units === undefined ? null : (
          <span class="soft">
            Counted{' '}
            <time
              dateTime={new Date(counted.counted_at).toISOString()}
              title={instantText(counted.counted_at, timezone, 'second')}
            >
              {instantText(counted.counted_at, timezone, 'time')}
            </time>
          </span>
        )}
      </div>
      {counted?.units === undefined ? (
        <p class="soft">Being counted.</p>
      ) : (
        <Figures
          site={site}
          figures={figuresOf(counted.units, counted, timezone, lockedOut)}
          marks={counted.units.marks}
        />
      )}
    </article>
  );
}

/** The figures of a card. */
interface SiteFigures {
  readonly total: number;
  readonly rented: number;
  readonly vacant: number;
  readonly lockedOut: number;
  /** A decimal amount, on the units that are locked out. */
  readonly owed: number;
}

function figuresOf(
  { counts }: CountedUnits,
  { ends = [], locked_out = [], counted_at }: NonNullable<Counted>,
  zone: string,
  lockedOut: LockedOutAt | undefined,
): SiteFigures {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const vacant = counts[UNIT_MARKS.vacant] ?? 0;
  const today = localDate(counted_at, zone);
  return {
    total,
    vacant,
    rented: total - vacant - (counts[UNIT_MARKS.unrentable] ?? 0),
    lockedOut: lockedOut?.units ?? locked_out.length,
    owed: lockedOut?.owed ?? owedOn(today, ends),
  };
}

/** A date without a unit that was locked out is not among them. */
function owedOn(today: string, ends: NonNullable<NonNullable<Counted>['ends']>): number {
  return fromCents(ends.find(({ date }) => date === today)?.owed ?? 0);
}

interface FiguresProps {
  readonly site: CardedSite;
  readonly figures: SiteFigures;
  readonly marks: string | null;
}

function Figures({ site, figures, marks }: FiguresProps) {
  const { location_id, name, currency } = site;
  const { total, rented, vacant, lockedOut, owed } = figures;
  const path = locationPath(location_id);
  if (total === 0)
    return (
      <p class="soft">
        No unit yet. Units appear when your PMS syncs; or <a href={addPath(path, 'unit')}>add one</a>.
      </p>
    );
  const map = `Map of ${name}: ${lockedOut} of ${countText(total, 'unit')} locked out`;
  return (
    <>
      <dl class="site-figures">
        <div>
          <dt>Locked out</dt>
          <dd class={lockedOut === 0 ? undefined : 'bad-text'}>
            <a
              href={withQuery(path, { state: 'tenant_denied' })}
              aria-label={`${lockedOut.toLocaleString('en-US')} locked out at ${name}`}
            >
              {lockedOut.toLocaleString('en-US')}
            </a>
          </dd>
        </div>
        <div>
          <dt>Owed</dt>
          <dd>{owed === 0 ? <None>–</None> : amountText(owed, currency)}</dd>
        </div>
        <div>
          <dt>Vacant</dt>
          <dd>
            <a
              href={withQuery(path, { state: 'vacant' })}
              aria-label={`${vacant.toLocaleString('en-US')} vacant at ${name}`}
            >
              {vacant.toLocaleString('en-US')}
            </a>
          </dd>
        </div>
      </dl>
      {marks === null ? null : (
        <a href={path} aria-label={map}>
          <MiniMap marks={marks} label={map} />
        </a>
      )}
      <div class="share">
        <svg class="share-bar" aria-hidden="true">
          <rect class="share-track" width="100%" height="100%" />
          <rect class="share-fill" width={`${Math.round((rented / total) * 1_000) / 10}%`} height="100%" />
        </svg>
        <span>
          {rented.toLocaleString('en-US')} of {total.toLocaleString('en-US')} rented
        </span>
      </div>
    </>
  );
}
