import { Instant } from '../parts/times.js';
import { lastText } from '../parts/words.js';
import type { UnitDetail } from './unit-detail.js';
import { type ListedUnit } from '../lists/unit-list.js';
import { UnitLink } from '../parts/unit-link.js';

type NamedUnit = Pick<ListedUnit, 'unit_id' | 'unit_name'>;

/** The tenant's units that an override affects, by name. */
export interface NamedTies {
  readonly others: readonly (NamedUnit & { readonly locksAt: number | null })[];
  /** Others that are not named. */
  readonly more: number;
  /** With the end of each override, in milliseconds. */
  readonly keptOpenBy: readonly (NamedUnit & { readonly until: number | null })[];
}

interface TiesProps {
  readonly ties: NamedTies;
  readonly zone: string;
}

/** Names with what follows each, which never begins a line. */
function Names({ ties: { others, more }, zone, end }: TiesProps & { readonly end: string }) {
  const last = others.length - 1;
  return (
    <>
      {others.map(({ locksAt, ...unit }, index) => (
        <>
          <span class="held">
            <UnitLink unit={unit} />
            {untilText(locksAt, zone)}
            {index < last ? ',' : more === 0 ? end : ''}
          </span>{' '}
        </>
      ))}
      {more === 0 ? '' : `${moreText(more)}${end} `}
    </>
  );
}

const untilText = (locksAt: number | null, zone: string) =>
  locksAt === null ? '' : ` (until ${lastText(locksAt, zone)})`;

const moreText = (more: number) => `and ${more} more`;

function isLetIn(override: UnitDetail['override']): boolean {
  return override?.override === 'exempt';
}

/** The other units that letting in opens. */
export function OthersOpened({
  ties,
  zone,
  override,
}: TiesProps & { readonly override: UnitDetail['override'] }) {
  const count = ties.others.length + ties.more;
  if (count === 0) return null;
  const these = count === 1 ? 'that' : `these ${count}`;
  return (
    <p class="hint">
      {isLetIn(override) ? 'It also opens ' : 'The debt also locks '}
      <Names {...{ ties, zone }} end={isLetIn(override) ? ',' : '.'} />
      {isLetIn(override) ? 'which this unit’s debt locks otherwise.' : `To let in here opens ${these}, too.`}
    </p>
  );
}

/** The overrides of other units that keep a unit open. */
export function KeptOpen({ ties: { keptOpenBy }, zone }: TiesProps) {
  return (
    <>
      {keptOpenBy.map(({ until, ...unit }) => (
        <p key={unit.unit_id}>
          Open as staff let the tenant in at <UnitLink unit={unit} />
          {until === null ? '' : ' until '}
          {until === null ? null : <Instant at={until} zone={zone} />}. The debt there locks this unit
          otherwise.
        </p>
      ))}
    </>
  );
}

/** For the message after an override: `Also open: A-2.` */
export function othersText(
  { others, more }: NamedTies,
  { override, location: { timezone } }: Pick<UnitDetail, 'override' | 'location'>,
): string {
  if (others.length === 0) return '';
  const isOpen = isLetIn(override);
  const names = others.map(
    ({ unit_name, locksAt }) => `${unit_name}${isOpen ? untilText(locksAt, timezone) : ''}`,
  );
  return ` Also ${isOpen ? 'open' : 'locked'}: ${names.join(', ')}${more === 0 ? '' : ` ${moreText(more)}`}.`;
}
