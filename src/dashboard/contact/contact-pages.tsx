import { Get, Param, Post } from '@nestjs/common';
import {
  ReachedBody,
  LocationAdministration,
  LocationChangeBody,
  OwnProof,
  OwnSecondFactor,
} from '#api/operator/index.js';
import type { OperatorPrincipal } from '#kernel/principals.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { checkEntry, throwAny } from '#web/validation/check.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { DONE, type Done, type FormValues, lastOf, type Page, type Refused, SeeOther } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../page/submit.js';
import { FramedLocation } from '../frame/framed-location.js';
import { locationPage } from '../frame/location-frame.js';
import { contactPath } from '../links/paths.js';
import { withQuery } from '../links/with-query.js';
import { changedValues, initialName, validChange } from '../parts/initial-values.js';
import { Section } from '../parts/layout.js';
import { mayDo } from '../parts/roles.js';
import { ContactForm, ContactShown, PAYMENT_URL, PROOF } from './contact-forms.js';

/** How tenants reach a location, where they pay, and in which currency. */
@ForOperators('auditor')
@ForSiteOperators('named')
@Pages('dashboard/locations/:location_id/contact')
export class ContactPages {
  constructor(
    private readonly framed: FramedLocation,
    private readonly locations: LocationAdministration,
    private readonly factor: OwnSecondFactor,
    private readonly proof: OwnProof,
  ) {}

  @Get()
  show(
    @Param('location_id') location_id: string,
    @PlainQuery() { also }: { readonly also?: unknown },
    @Context() context: OperatorContext,
  ) {
    return this.#page(location_id, context, { also });
  }

  @ForOperators('manager')
  @Costly()
  @Post()
  change(
    @Param('location_id') location_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: 'contact',
      values: form,
      act: async () => {
        const path = contactPath(location_id);
        const { change, parts } = changeIn(form);
        const [first, ...others] = parts;
        if (first === undefined) return new SeeOther(path, 'unchanged');
        await this.locations.changeLocation(location_id, valid(change), {}, context);
        return new SeeOther(withQuery(path, { also: others.join() || undefined }), first);
      },
      again: (refused) => this.#page(location_id, context, { refused }),
    });
  }

  async #page(
    location_id: string,
    { principal }: OperatorContext,
    { refused, also }: { readonly refused?: Refused; readonly also?: unknown },
  ): Promise<Page> {
    const framed = await this.framed.readLocation(location_id);
    const { location } = framed;
    const mayChange = mayDo(principal.role, 'manager');
    const proof = mayDo(principal.role, 'admin') ? await this.#proofOf(principal) : undefined;
    const content = mayChange ? (
      <div class="card">
        <ContactForm {...{ location, refused, proof }} />
      </div>
    ) : (
      <Section title="Contact">
        <p>Tenants see it in their app, people with a shared unit too.</p>
        <ContactShown location={location} />
      </Section>
    );
    const others = PARTS.filter((part) => String(also).split(',').includes(part));
    const outcome = others.length > 0 && { outcome: others.map((part) => DONE[part]).join(' ') };
    return locationPage(framed, '/contact', content, { refused, ...outcome });
  }

  async #proofOf(principal: OperatorPrincipal) {
    const { set } = await this.factor.readState(principal);
    return {
      asked: await this.proof.readAsked(principal),
      needsCode: set && principal.has_factor !== true,
    };
  }
}

const REACHED = ['phone', 'email', 'address'];

/** What one save may change, by the message about it. */
const FIELDS = {
  contact: REACHED,
  payment_url: [PAYMENT_URL],
  currency: ['currency'],
} as const satisfies Partial<Record<Done, readonly string[]>>;
type Part = keyof typeof FIELDS;
const PARTS = Object.keys(FIELDS) as Part[];

/** What was typed, and which parts it changes. @throws ApiError 422 */
function changeIn(form: FormValues): { change: LocationChangeBody; parts: Part[] } {
  const changed = changedValues(form);
  const parts = PARTS.filter((part) => FIELDS[part].some((name) => name in changed));
  const changes: Record<Part, () => LocationChangeBody> = {
    contact: () => ({ contact: validChange(ReachedBody, reachedIn(form)) }),
    payment_url: () => ({
      contact: { payment_url: lastOf(changed[PAYMENT_URL]) || null },
      proof: proofIn(form),
    }),
    currency: () => ({ currency: lastOf(changed['currency']) ?? '' }),
  };
  const made = parts.map((part) => changes[part]());
  const contact = Object.assign({}, ...made.map((one) => one.contact)) as LocationChangeBody['contact'];
  const isOfContact = made.some((one) => one.contact !== undefined);
  return { change: Object.assign({}, ...made, isOfContact && { contact }) as LocationChangeBody, parts };
}

/** The fields by which tenants reach a location, with their first values. */
function reachedIn(form: FormValues): FormValues {
  const names = REACHED.flatMap((name) => [name, initialName(name)]);
  return Object.fromEntries(Object.entries(form).filter(([name]) => names.includes(name)));
}

function proofIn(form: FormValues) {
  const code = lastOf(form[PROOF.code]) ?? '';
  const current = lastOf(form[PROOF.current]) ?? '';
  return { ...(current !== '' && { current }), ...(code !== '' && { code }) };
}

/** @throws ApiError 422 */
function valid(change: LocationChangeBody): LocationChangeBody {
  throwAny(checkEntry(LocationChangeBody, change));
  return change;
}
