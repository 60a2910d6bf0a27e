import { Get, Param, Post } from '@nestjs/common';
import {
  ReachedBody,
  LocationAdministration,
  LocationChangeBody,
  OwnSecondFactor,
} from '#api/operator/index.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { checkEntry, throwAny } from '#web/validation/check.js';
import { IgnoresQuery, ObjectBody } from '#web/validation/parameters.js';
import { type Done, type FormValues, lastOf, type Page, type Refused, SeeOther } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../page/submit.js';
import { FramedLocation } from '../frame/framed-location.js';
import { locationPage } from '../frame/location-frame.js';
import { contactPath } from '../links/paths.js';
import { withInternationalPhone } from '../parts/typed-phone.js';
import { changesNothing, validChange } from '../parts/initial-values.js';
import { Section } from '../parts/layout.js';
import { mayDo } from '../parts/roles.js';
import { ContactForm, ContactShown, CurrencyForm, PaymentForm } from './contact-forms.js';

/** How tenants reach a location, where they pay, and in which currency. */
@ForOperators('auditor')
@ForSiteOperators('named')
@Pages('dashboard/locations/:location_id/contact')
export class ContactPages {
  constructor(
    private readonly framed: FramedLocation,
    private readonly locations: LocationAdministration,
    private readonly factor: OwnSecondFactor,
  ) {}

  @IgnoresQuery()
  @Get()
  show(@Param('location_id') location_id: string, @Context() context: OperatorContext) {
    return this.#page(location_id, context);
  }

  @ForOperators('manager')
  @Costly()
  @Post()
  changeContact(
    @Param('location_id') location_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return this.#submit('contact', { location_id, form, context }, () => ({
      contact: validChange(ReachedBody, withInternationalPhone(form)),
    }));
  }

  @ForOperators('manager')
  @Costly()
  @Post('currency')
  changeCurrency(
    @Param('location_id') location_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return this.#submit('currency', { location_id, form, context }, () => ({
      currency: lastOf(form['currency']) ?? '',
    }));
  }

  @ForOperators('admin')
  @Costly()
  @Post('payment-link')
  changePaymentLink(
    @Param('location_id') location_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return this.#submit('payment_url', { location_id, form, context }, () => {
      const code = lastOf(form['proof.code']) ?? '';
      return {
        contact: { payment_url: lastOf(form['contact.payment_url']) || null },
        proof: { current: lastOf(form['proof.current']) ?? '', ...(code !== '' && { code }) },
      };
    });
  }

  #submit(
    name: 'contact' | 'currency' | 'payment_url',
    {
      location_id,
      form,
      context,
    }: { readonly location_id: string; readonly form: FormValues; readonly context: OperatorContext },
    read: () => LocationChangeBody,
  ) {
    return submit({
      form: name,
      values: form,
      act: async () => {
        const path = contactPath(location_id);
        if (name === 'contact' && changesNothing(form)) return new SeeOther(path, 'unchanged');
        await this.locations.changeLocation(location_id, valid(read()), {}, context);
        return new SeeOther(path, name satisfies Done);
      },
      again: (refused) => this.#page(location_id, context, refused),
    });
  }

  async #page(location_id: string, { principal }: OperatorContext, refused?: Refused): Promise<Page> {
    const framed = await this.framed.readLocation(location_id);
    const { location } = framed;
    const mayChange = mayDo(principal.role, 'manager');
    const isAdmin = mayDo(principal.role, 'admin');
    const needsCode = isAdmin && (await this.factor.readState(principal)).set;
    const content = (
      <>
        <Section title="Contact">
          <p>Tenants see it in their app, people with a shared unit too.</p>
          {mayChange ? <ContactForm {...{ location, refused }} /> : <ContactShown location={location} />}
        </Section>
        <Section title="Payment link">
          <p>The app leads tenants there to pay. People with a shared unit do not see it.</p>
          <PaymentForm {...{ location, refused, needsCode }} mayChange={isAdmin} />
        </Section>
        <Section title="Currency">
          <CurrencyForm {...{ location, refused, mayChange }} />
        </Section>
      </>
    );
    return locationPage(framed, '/contact', content, { refused });
  }
}

/** @throws ApiError 422 */
function valid(change: LocationChangeBody): LocationChangeBody {
  throwAny(checkEntry(LocationChangeBody, change));
  return change;
}
