import type { Found } from '#api/operator/index.js';
import { unitPath } from '../links/paths.js';
import { withQuery } from '../links/with-query.js';
import { nameOf } from '../parts/tenant-links.js';
import { phoneText } from '../parts/words.js';
import { type Hit, onlyHit } from './hits.js';

const VERBS = { 'let in': 'let-in', call: 'call', text: 'text' } as const;
type Act = (typeof VERBS)[keyof typeof VERBS];

interface Asked {
  /** Undefined: the text only names something. */
  readonly act: Act | undefined;
  /** What is to be found. */
  readonly rest: string;
}

const ASKED = /^(let in|call|text)\s+(\S.*)$/i;

/** `let in B147` asks for an act, anything else only for what it names. */
export function askedIn(text: string): Asked {
  const [, verb, rest] = ASKED.exec(text) ?? [];
  if (verb === undefined || rest === undefined) return { act: undefined, rest: text };
  return { act: VERBS[verb.toLowerCase() as keyof typeof VERBS], rest };
}

/** Most units that an act is offered for. */
const OFFERED = 3;

/** Rows that do what was asked for, with the rented units that were found: nobody else can be let in, called or told. */
export function actHits(act: Act | undefined, { units }: Found): readonly Hit[] {
  if (act === undefined) return [];
  const rented = units.flatMap((unit) => (unit.tenant === null ? [] : [{ ...unit, tenant: unit.tenant }]));
  return rented.slice(0, OFFERED).flatMap((unit): readonly Hit[] => {
    const { unit_id, unit_name, tenant, location } = unit;
    const name = nameOf(tenant);
    if (act === 'let-in') {
      const href = withQuery(unitPath(unit_id), { do: act });
      return [
        { href, icon: 'lock-open', title: `Let in ${unit_name}`, detail: `${name}, ${location.name}`, unit },
      ];
    }
    if (tenant.phone === null) return [];
    const { phone } = tenant;
    const [scheme, verb, icon] =
      act === 'call' ? (['tel', 'Call', 'phone'] as const) : (['sms', 'Text', 'message'] as const);
    const detail = `${phoneText(phone)}, ${unit_name}`;
    return [{ href: `${scheme}:${phone}`, icon, title: `${verb} ${name}`, detail, unit: null }];
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
  return act === 'let-in' && only.unit?.tenant ? withQuery(only.href, { do: act }) : only.href;
}
