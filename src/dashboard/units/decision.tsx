import { factOf } from '#domain/units/index.js';
import type { Actor } from '#eventsourcing/log/domain-event.js';
import { CopyButton } from '../parts/copy-button.js';
import { None, Section } from '../parts/layout.js';
import { Instant } from '../parts/times.js';
import { staffName, capitalized, fieldText, reasonText } from '../parts/labels.js';
import { StateMark } from '../parts/states.js';
import { Unbroken } from '../parts/unbroken.js';
import { amountText, dateText, valueText } from '../parts/words.js';
import { cureName, isStandalone, payAheadText, sentenceOf, type SentenceUnit } from './sentence.js';
import { TEXTS_OPEN } from '../parts/tenant-links.js';
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

/** The decision in a sentence, with its cures. */
export function DecisionSection({ unit }: DecisionProps) {
  const { state, reason } = unit.access;
  return (
    <Section title="Access">
      <p>
        <StateMark state={state} reason={reason} />
      </p>
      <Sentence of={unit} />
      <Cures unit={unit} />
    </Section>
  );
}

interface SentenceProps {
  readonly of: DecidedUnit;
  /** Where there is nothing else to say. Absent: nothing. */
  readonly otherwise?: string;
}

/** The sentence beside the mark of a state, which says “Open” already. */
export function Sentence({ of, otherwise = '' }: SentenceProps) {
  const text = sentenceOf(of).replace(/^Open\. ?/, '') || otherwise;
  if (text === '') return null;
  return (
    <p class="sentence">
      <Unbroken text={text} />
    </p>
  );
}

/** The decision table as it was gone through. The first rule that holds decides; what it read has its writer below. */
export function RulesChecked({ unit: { access, location } }: DecisionProps) {
  const { checks = [] } = access;
  const decides = checks.findIndex(({ matched }) => matched);
  const written = (checks[decides]?.looked_at ?? []).filter(
    ({ name, set_by }) => set_by && (name === 'override' || factOf(name) !== undefined),
  );
  return (
    <section class="card bare" aria-labelledby="rules-head">
      <div class="card-head">
        <h2 id="rules-head">Every rule checked</h2>
        <span class="count">in order, the first that holds decides</span>
      </div>
      <table class="rules">
        <thead>
          <tr>
            <th scope="col" class="off">
              #
            </th>
            <th scope="col">Rule</th>
            <th scope="col">Looked at</th>
            <th scope="col" class="number">
              Holds
            </th>
          </tr>
        </thead>
        <tbody>
          {checks.map((check, place) => (
            <Rule
              key={check.name}
              of={check}
              number={place + 1}
              place={place === decides ? 'decides' : place < decides ? 'before' : 'later'}
              effect={EFFECTS[access.state]}
              currency={location.currency}
            />
          ))}
        </tbody>
      </table>
      {written.length === 0 ? null : (
        <div class="card-foot">
          <span>
            {written.map(({ name, set_by }, index) => (
              <span key={name}>
                {index === 0 ? '' : '; '}
                {index === 0 ? capitalized(writtenText(name)) : writtenText(name)}
                <Writer of={set_by!} zone={location.timezone} />
              </span>
            ))}
          </span>
        </div>
      )}
    </section>
  );
}

type Effect = 'good' | 'bad' | 'idle';

/** Nobody is locked out of a unit that is vacant. */
const EFFECTS: Readonly<Record<DecidedUnit['access']['state'], Effect>> = {
  tenant_permitted: 'good',
  tenant_denied: 'bad',
  auction: 'bad',
  unrentable: 'idle',
  vacant: 'idle',
};

interface RuleProps {
  readonly of: ShownCheck;
  readonly number: number;
  /** Before the rule that decides, itself, or after it. */
  readonly place: 'before' | 'decides' | 'later';
  /** What the decision does to a tenant. */
  readonly effect: Effect;
  readonly currency: string;
}

/** A rule behind the one that decides is named with its values only if it holds, too. */
function Rule({ of: { name, matched, looked_at }, number, place, effect, currency }: RuleProps) {
  const isReached = place !== 'later' || matched;
  const seen = looked_at
    .map(({ name: fact, value }) => `${fieldText(fact)}: ${valueText(fact, value, currency)}`)
    .join(', ');
  const holds = place === 'decides' ? 'Yes, decides' : matched ? 'Yes, too' : 'No';
  return (
    <tr class={place === 'decides' ? `decides ${effect}` : place}>
      <td class="off">{number}</td>
      <th scope="row">{capitalized(reasonText(name))}</th>
      <td>
        <Unbroken text={isReached ? seen : 'not reached'} />
      </td>
      <td class="number top-end">{isReached ? holds : <None />}</td>
    </tr>
  );
}

/** Only staff set an override, and their name follows. */
function writtenText(name: string): string {
  return name === 'override' ? 'set' : fieldText(name);
}

function Writer({ of: { actor, occurred_at }, zone }: { readonly of: SetBy; readonly zone: string }) {
  return (
    <>
      {' '}
      by {staffName(actor)}, <Instant at={occurred_at} zone={zone} />
    </>
  );
}

interface MessageProps {
  readonly text: string | null;
  /** The phone of the tenant. */
  readonly phone: string | null;
}

/** A text for the tenant, to send or to copy. */
export function MessageToTenant({ text, phone }: MessageProps) {
  if (text === null) return null;
  return (
    <div class="told">
      <p id="message">
        <Unbroken text={text} />
      </p>
      {phone === null ? null : (
        <a href={`sms:${phone}?body=${encodeURIComponent(text)}`} title={TEXTS_OPEN}>
          Text it
        </a>
      )}
      <CopyButton of="message" label="Copy message" />
    </div>
  );
}

/** What restores access, each with the way to its unit. */
export function Cures({ unit }: DecisionProps) {
  const of = unit.access.resolution ?? [];
  if (of.length === 0) return null;
  const ahead = payAheadText(unit);
  return (
    <div class="cures">
      <p class="label">To restore access</p>
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
  if (field === 'override') return 'Staff lifts the lockout';
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
