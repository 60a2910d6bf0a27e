import type { ComponentChild, VNode } from 'preact';
import type { LockDocument } from '#domain/locations/index.js';
import type { ResultOf } from '#kernel/result-of.js';
import { lockPath, unitPath, zonePath } from '../links/paths.js';
import { withQuery } from '../links/with-query.js';
import { None } from '../parts/layout.js';
import { Unbroken } from '../parts/unbroken.js';
import { UnitLink } from '../parts/unit-link.js';
import { noPeek, PEEK, PeekHead, PeekTaps, stepsBeside } from '../peek/peek-parts.js';
import type { EquipmentItemReader } from './equipment-item.reader.js';
import { ChargeOf } from './lock-charge.js';
import { LastReported, NeedPill, NeedSentence } from './lock-state.js';

/** Taps that the panel lists. */
const TAPS = 4;

type Row = Pick<LockDocument, 'lock_id' | 'name'>;

/** The address of a list of locks with the panel of one. @param path may have a query */
export function lockPeekPath(path: string, { lock_id }: Pick<Row, 'lock_id'>): string {
  return withQuery(path, { peek: lock_id });
}

export type PeekedLock = ResultOf<EquipmentItemReader['readLock']> & {
  readonly lock: Row & Pick<LockDocument, 'serial'>;
};

interface LockPeekProps {
  /** Undefined: no lock is looked at, and the panel is not seen. */
  readonly of: PeekedLock | undefined;
  /** The list without the panel. */
  readonly path: string;
  /** The locks of the page in their order: the arrows lead to those beside this one. */
  readonly rows: readonly Row[];
  readonly zone: string;
}

/** The panel beside a list of locks, a sheet on a phone: what one lock needs, and where it is. */
export function lockPeekPanel({ of, path, rows, zone }: LockPeekProps): VNode {
  if (of === undefined) return noPeek();
  const { lock, need, report, taps, names, people, now } = of;
  return (
    <aside id={PEEK} class="peek" aria-labelledby="peek-title">
      <PeekHead
        place="Lock"
        kind="lock"
        {...stepsBeside(
          rows,
          ({ lock_id }) => lock_id === lock.lock_id,
          (row) => ({ href: lockPeekPath(path, row), name: row.name }),
        )}
        path={path}
      />
      <div class="peek-part">
        <div class="title-line">
          <h2 id="peek-title" tabIndex={-1}>
            <Unbroken text={lock.name} />
          </h2>
          <NeedPill need={need} />
        </div>
        <NeedSentence {...{ need, report, zone, now }} />
        <div class="pair">
          <a class="button wide" href={lockPath(lock.lock_id)}>
            Open lock
          </a>
          {people === null ? null : (
            <a class="button wide" href={unitPath(people.unit_id)}>
              Open unit
            </a>
          )}
        </div>
      </div>
      <dl class="peek-part pairs">
        {pairsOf(of, zone).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <PeekTaps
        taps={taps.slice(0, TAPS)}
        softOf={({ tenant_id }) => names.get(tenant_id) ?? 'tenant'}
        {...{ zone, now }}
      />
    </aside>
  );
}

function pairsOf({ lock, people, zones, report, now }: PeekedLock, zone: string) {
  const pairs: readonly (readonly [name: string, value: ComponentChild])[] = [
    ['On unit', people === null ? <None /> : <UnitLink unit={people} />],
    ['Zone', <ZoneLinks of={zones} />],
    ['Serial number', lock.serial === null ? <None /> : <span class="mono">{lock.serial}</span>],
    ['Battery', <ChargeOf battery={report?.battery ?? undefined} zone={zone} />],
    ['Last report', <LastReported {...{ report, zone, now }} />],
  ];
  return pairs;
}

interface ZoneLinksProps {
  readonly of: readonly { readonly zone_id: string; readonly name: string }[];
}

export function ZoneLinks({ of }: ZoneLinksProps) {
  if (of.length === 0) return <None />;
  return (
    <>
      {of.map(({ zone_id, name }, index) => (
        <>
          {index === 0 ? '' : ', '}
          <a href={zonePath(zone_id)}>{name}</a>
        </>
      ))}
    </>
  );
}
