import { Get, Param, Post } from '@nestjs/common';
import { LocationAdministration, LocationChangeBody } from '#api/operator/index.js';
import { invitationText } from '#domain/sharing/index.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { IgnoresQuery, ObjectBody } from '#web/validation/parameters.js';
import { FramedLocation } from '../frame/framed-location.js';
import { locationPage } from '../frame/location-frame.js';
import { Pages } from '../frame/pages.js';
import { sharingPath } from '../links/paths.js';
import type { FormValues, Page, Refused } from '../page/page.js';
import { validChange } from '../parts/initial-values.js';
import { Facts, Section } from '../parts/layout.js';
import { mayDo } from '../parts/roles.js';
import { submitChange } from '../parts/submit-change.js';
import { SharingForm } from './sharing-form.js';

/** Whether the tenants of a location share their units by themselves. */
@ForOperators('auditor')
@ForSiteOperators('named')
@Pages('dashboard/locations/:location_id/sharing')
export class SharingPages {
  constructor(
    private readonly framed: FramedLocation,
    private readonly locations: LocationAdministration,
  ) {}

  @IgnoresQuery()
  @Get()
  show(@Param('location_id') location_id: string, @Context() context: OperatorContext) {
    return this.#page(location_id, context);
  }

  @ForOperators('manager')
  @Costly()
  @Post()
  change(
    @Param('location_id') location_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return submitChange({
      form: 'sharing',
      values: form,
      path: sharingPath(location_id),
      save: async () => {
        const { tenant_sharing } = validChange(LocationChangeBody, form);
        await this.locations.changeLocation(location_id, { tenant_sharing }, {}, context);
        return tenant_sharing === true ? 'sharing_on' : 'sharing_off';
      },
      again: (refused) => this.#page(location_id, context, refused),
    });
  }

  async #page(location_id: string, { principal }: OperatorContext, refused?: Refused): Promise<Page> {
    const framed = await this.framed.readLocation(location_id);
    const { location } = framed;
    const isOn = location.tenant_sharing;
    const content = (
      <div class="split even">
        <Section title="Sharing by tenants">
          <p>
            A tenant lets up to 5 people into each unit, for at most 90 days, by name and phone. They open
            what the tenant opens, see no balance, and are locked out with the unit.
          </p>
          {mayDo(principal.role, 'manager') ? (
            <SharingForm {...{ location, refused }} />
          ) : (
            <Facts of={[['Tenants share their units', isOn ? 'Yes' : 'No']]} />
          )}
        </Section>
        <Section title="What the person gets">
          <p>A text, and a code that the tenant tells. Without the code nothing opens.</p>
          <blockquote class="message">{invitationText(location.name)}</blockquote>
        </Section>
      </div>
    );
    return locationPage(framed, '/sharing', content, { refused });
  }
}
