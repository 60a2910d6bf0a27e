import type { Found, FoundUnit } from '#api/operator/index.js';
import { unitPath } from '../links/paths.js';
import { withQuery } from '../links/with-query.js';
import type { IconName } from '../parts/icon.js';
import { nameOf } from '../parts/tenant-links.js';
import { phoneText } from '../parts/words.js';
import { type ActWords, wordsIn } from './act-words.js';
import { type Hit, onlyHit } from './hits.js';

/** A form of a unit's page. */
interface FormAct {
  readonly kind: 'form';
  readonly form: string;
  readonly verb: string;
  readonly icon: IconName;
  /** Whether the unit's page has the form. */
  readonly fits: (unit: FoundUnit) => boolean;
}

/** A link to the phone of a unit's tenant. */
interface PhoneAct {
  readonly kind: 'phone';
  readonly scheme: 'tel' | 'sms';
  readonly verb: string;
  readonly icon: IconName;
}

export type Act = FormAct | PhoneAct;

const isRented = ({ tenant }: FoundUnit) => tenant !== null;
const isByHand = ({ source_type }: FoundUnit) => source_type === 'standalone';

/** What can be asked for, by the words that begin it. */
const ACTS: Readonly<Record<ActWords, Act>> = {
  'let in': { kind: 'form', form: 'let-in', verb: 'Let in', icon: 'lock-open', fits: isRented },
  'lock out': { kind: 'form', form: 'lock-out', verb: 'Lock out', icon: 'lock', fits: () => true },
  'move in': {
    kind: 'form',
    form: 'move-in',
    verb: 'Move in to',
    icon: 'user-plus',
    fits: (unit) => !isRented(unit) && isByHand(unit),
  },
  'move out': {
    kind: 'form',
    form: 'move-out',
    verb: 'Move out of',
    icon: 'logout',
    fits: (unit) => isRented(unit) && isByHand(unit),
  },
  call: { kind: 'phone', scheme: 'tel', verb: 'Call', icon: 'phone' },
  text: { kind: 'phone', scheme: 'sms', verb: 'Text', icon: 'message' },
};

interface Asked {
  /** Undefined: the text only names something. */
  readonly act: Act | undefined;
  /** What is to be found. */
  readonly rest: string;
}

/** `let in B147` asks for an act, anything else only for what it names. */
export function askedIn(text: string): Asked {
  const { words, rest } = wordsIn(text);
  return { act: words && ACTS[words], rest };
}

/** Most units that an act is offered for. */
const OFFERED = 3;

/** Rows that do what was asked for, with the units that were found and that it fits. */
export function actHits(act: Act | undefined, { units }: Found): readonly Hit[] {
  if (act === undefined) return [];
  return act.kind === 'form' ? formHits(act, units) : phoneHits(act, units);
}

function formHits({ form, verb, icon, fits }: FormAct, units: readonly FoundUnit[]): readonly Hit[] {
  return units
    .filter(fits)
    .slice(0, OFFERED)
    .map((unit) => {
      const { unit_id, unit_name, tenant, location } = unit;
      const href = withQuery(unitPath(unit_id), { do: form });
      const detail = tenant === null ? location.name : `${nameOf(tenant)}, ${location.name}`;
      return { href, icon, title: `${verb} ${unit_name}`, detail, unit };
    });
}

function phoneHits({ scheme, verb, icon }: PhoneAct, units: readonly FoundUnit[]): readonly Hit[] {
  const rented = units.flatMap((unit) => (unit.tenant === null ? [] : [{ ...unit, tenant: unit.tenant }]));
  return rented.slice(0, OFFERED).flatMap(({ unit_name, tenant }): readonly Hit[] => {
    if (tenant.phone === null) return [];
    const { phone } = tenant;
    const detail = `${phoneText(phone)}, ${unit_name}`;
    return [{ href: `${scheme}:${phone}`, icon, title: `${verb} ${nameOf(tenant)}`, detail, unit: null }];
  });
}

/** Where Enter leads: the form of the act, where exactly one thing was found; a phone number stays a link. */
export function onlyAct(
  act: Act | undefined,
  found: Found,
  rest: string,
  pages: readonly Hit[],
): string | undefined {
  const only = onlyHit(found, rest, pages);
  if (only === undefined) return undefined;
  const hasForm = act?.kind === 'form' && only.unit !== null && act.fits(only.unit);
  return hasForm ? withQuery(only.href, { do: act.form }) : only.href;
}
