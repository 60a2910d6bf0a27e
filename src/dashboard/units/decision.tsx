import type { Actor } from '#eventsourcing/log/domain-event.js';
import { CopyButton } from '../parts/copy-button.js';
import { Section, Table } from '../parts/layout.js';
import { Instant } from '../parts/times.js';
import { actorName, capitalized, fieldText, reasonText } from '../parts/labels.js';
import { StateMark } from '../parts/states.js';
import { Unbroken } from '../parts/unbroken.js';
import { amountText, dateText, valueText } from '../parts/words.js';
import { cureName, isStandalone, payAheadText, sentenceOf, type SentenceUnit } from './sentence.js';
import { UnitLink } from '../parts/unit-link.js';

export interface ShownCure {
  readonly unit_id: string | null;
  readonly crm_unit_id: string;
  /** As staff knows it, where that is known. */
  readonly unit_name?: string | undefined;
  readonly field: string;
  readonly to: unknown;
  readonly by: string;
  /** The balance to pay, where it is known. */
  readonly amount?: number | undefined;
}

/** The author of a value that a check read. */
interface SetBy {
  readonly occurred_at: string;
  readonly actor: Actor & { readonly name: string | null };
}

/** A check and the values that it read. `set_by` is null for the calendar and for values never written. */
export interface ShownCheck {
  readonly name: string;
  readonly matched: boolean;
  readonly looked_at: readonly {
    readonly name: string;
    readonly value: unknown;
    readonly set_by?: SetBy | null;
  }[];
}

export type DecidedUnit = Omit<SentenceUnit, 'access'> & {
  readonly unit_name: string;
  readonly access: Omit<SentenceUnit['access'], 'checks' | 'resolution'> & {
    readonly resolution: readonly ShownCure[] | null;
    readonly checks?: readonly ShownCheck[];
  };
};

interface DecisionProps {
  readonly unit: DecidedUnit;
}

/** The decision in a sentence, with its cures and the checks behind it. */
export function DecisionSection({ unit }: DecisionProps) {
  const { state, reason } = unit.access;
  return (
    <Section title="Access">
      <p>
        <StateMark state={state} reason={reason} />
      </p>
      <Sentence of={unit} />
      <Cures unit={unit} />
      <RulesChecked unit={unit} />
    </Section>
  );
}

/** The sentence below the mark of a state, which says “Open” already. */
export function Sentence({ of }: { readonly of: DecidedUnit }) {
  const text = sentenceOf(of).replace(/^Open\. ?/, '');
  if (text === '') return null;
  return (
    <p class="sentence">
      <Unbroken text={text} />
    </p>
  );
}

export function RulesChecked({ unit: { access, location } }: DecisionProps) {
  const { checks = [] } = access;
  return (
    <details>
      <summary>See every rule checked</summary>
      <Table
        caption="Checks"
        head={['#', 'Check', 'Holds', 'Looked at']}
        rows={checks.map((check, position) => checkRow(check, position + 1, location))}
      />
    </details>
  );
}

function checkRow(
  { name, matched, looked_at }: ShownCheck,
  number: number,
  { timezone, currency }: DecidedUnit['location'],
) {
  const seen = (
    <ul>
      {looked_at.map(({ name: fact, value, set_by }) => (
        <li key={fact}>
          {fieldText(fact)}: {valueText(fact, value, currency)}
          {set_by ? <Writer of={set_by} zone={timezone} /> : null}
        </li>
      ))}
    </ul>
  );
  return { key: name, cells: [number, capitalized(reasonText(name)), matched ? 'yes' : 'no', seen] };
}

function Writer({ of: { actor, occurred_at }, zone }: { readonly of: SetBy; readonly zone: string }) {
  return (
    <span class="hint">
      {' '}
      (by {actorName(actor)}, <Instant at={occurred_at} zone={zone} />)
    </span>
  );
}

/** A text for the tenant, to copy. */
export function MessageToTenant({ text }: { readonly text: string | null }) {
  if (text === null) return null;
  return (
    <div class="message">
      <p id="message">
        <Unbroken text={text} />
      </p>
      <CopyButton of="message" label="Copy message" />
    </div>
  );
}

export function Cures({ unit }: DecisionProps) {
  const of = unit.access.resolution ?? [];
  if (of.length === 0) return null;
  const ahead = payAheadText(unit);
  return (
    <div>
      <h3>To restore access</h3>
      <ul>
        {of.map((cure) => (
          <li key={`${cure.crm_unit_id}-${cure.field}`}>
            {cureText(cure, unit)}
            {cure.unit_id === unit.unit_id || cure.unit_id === null ? null : (
              <>
                {' '}
                on <UnitLink unit={{ unit_id: cure.unit_id, unit_name: cureName(cure) }} />
              </>
            )}
          </li>
        ))}
        {ahead === '' ? null : <li>{ahead}</li>}
      </ul>
    </div>
  );
}

function cureText(cure: ShownCure, unit: DecidedUnit): string {
  const { field } = cure;
  if (field === 'balance_due') return payText(cure, unit);
  if (field === 'override') return 'Staff removes the override';
  if (field === 'move_in_date') return `The lease begins on ${dateText(unit.facts.move_in_date ?? '')}`;
  const isStaffs = cure.by === 'operator' || (cure.unit_id === unit.unit_id && isStandalone(unit));
  const act =
    LIFTED[field] ?? `sets ${fieldText(field)} to ${valueText(field, cure.to, unit.location.currency)}`;
  return `${isStaffs ? 'Staff' : 'The PMS'} ${act}`;
}

function payText({ unit_id, amount }: ShownCure, unit: DecidedUnit): string {
  const due = unit_id === unit.unit_id ? unit.facts.balance_due : amount;
  return due === undefined ? 'Pay the balance' : `Pay ${amountText(due, unit.location.currency)}`;
}

/** The act of the PMS or of staff that lifts a flag. */
const LIFTED: Readonly<Record<string, string>> = {
  pms_lockout: 'lifts the lockout',
  pms_auction: 'ends the auction',
  pms_unrentable: 'offers the unit again',
};
