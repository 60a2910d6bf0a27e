import type { Actor } from '../../http/index.js';
import { Section, Table } from '../parts/layout.js';
import { Instant } from '../parts/times.js';
import { StateMark } from '../parts/states.js';
import { nameText, valueText } from '../parts/words.js';
import { isStandalone, sentenceOf, type ToldUnit } from './sentence.js';

interface Cure {
  readonly unit_id: string | null;
  readonly crm_unit_id: string;
  readonly field: string;
  readonly to: unknown;
  readonly by: string;
}

/** Who wrote a value that was looked at; null for the calendar and for what never was written. */
interface SetBy {
  readonly occurred_at: string;
  readonly actor: Actor & { readonly name: string | null };
}

/** A check, with who wrote what it looked at where that is known. */
export interface Check {
  readonly number: number;
  readonly name: string;
  readonly matched: boolean;
  readonly looked_at: readonly {
    readonly name: string;
    readonly value: unknown;
    readonly set_by?: SetBy | null;
  }[];
}

export type DecidedUnit = Omit<ToldUnit, 'access'> & {
  readonly access: Omit<ToldUnit['access'], 'checks' | 'resolution'> & {
    readonly resolution: readonly Cure[] | null;
    readonly checks?: readonly Check[];
  };
};

/** What was decided, in a sentence, with what removes each cause, and the checks behind it. */
export function DecisionSection({ unit }: { readonly unit: DecidedUnit }) {
  const { state, reason, resolution, checks = [] } = unit.access;
  const { timezone: zone } = unit.location;
  return (
    <Section title="Access">
      <p>
        <StateMark state={state} reason={reason} />
      </p>
      <p class="sentence">{sentenceOf(unit)}</p>
      <Cures of={resolution ?? []} own={unit.unit_id} hasPms={!isStandalone(unit)} />
      <details>
        <summary>The checks, in order: the first that holds decides</summary>
        <Table
          caption="Checks"
          head={['#', 'Check', 'Holds', 'Looked at']}
          rows={checks.map((check) => checkRow(check, zone))}
        />
      </details>
    </Section>
  );
}

function checkRow({ number, name, matched, looked_at }: Check, zone: string) {
  const seen = (
    <ul>
      {looked_at.map(({ name: fact, value, set_by }) => (
        <li key={fact}>
          {nameText(fact)}: {valueText(fact, value)}
          {set_by ? <Writer of={set_by} zone={zone} /> : null}
        </li>
      ))}
    </ul>
  );
  return { key: name, cells: [number, nameText(name), matched ? 'yes' : 'no', seen] };
}

function Writer({ of: { actor, occurred_at }, zone }: { readonly of: SetBy; readonly zone: string }) {
  return (
    <span class="hint">
      {' '}
      (by {nameText(actor.kind)} {actor.name ?? actor.id}, <Instant at={occurred_at} zone={zone} />)
    </span>
  );
}

interface CuresProps {
  readonly of: readonly Cure[];
  /** The unit that is told of, and whether a PMS writes its facts. */
  readonly own: string;
  readonly hasPms: boolean;
}

function Cures({ of, own, hasPms }: CuresProps) {
  if (of.length === 0) return null;
  return (
    <>
      <h3>What opens it</h3>
      <ul>
        {of.map(({ unit_id, crm_unit_id, field, to, by }) => (
          <li key={`${crm_unit_id}-${field}`}>
            {nameText(field)} becomes {valueText(field, to)}
            {unit_id === own || unit_id === null ? null : (
              <>
                {' '}
                on <a href={`/dashboard/units/${unit_id}`}>{crm_unit_id}</a>
              </>
            )}
            , {by === 'pms' && (hasPms || unit_id !== own) ? 'written by the PMS' : 'by an operator'}
          </li>
        ))}
      </ul>
    </>
  );
}
