import { Get, Param, Post } from '@nestjs/common';
import { LocationAdministration, NoticesBody, ToldNotices } from '#api/operator/index.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { IgnoresQuery, ObjectBody } from '#web/validation/parameters.js';
import { FramedLocation } from '../frame/framed-location.js';
import { locationPage } from '../frame/location-frame.js';
import { Pages } from '../frame/pages.js';
import { contactPath, textsPath } from '../links/paths.js';
import type { FormValues, Page, Refused } from '../page/page.js';
import { validChange } from '../parts/initial-values.js';
import { Section } from '../parts/layout.js';
import { mayDo } from '../parts/roles.js';
import { submitChange } from '../parts/submit-change.js';
import { NoticePreview, NoticesForm, NoticesShown } from './notice-forms.js';

/** Which texts the tenants of a location get, and what they say. */
@ForOperators('auditor')
@ForSiteOperators('named')
@Pages('dashboard/locations/:location_id/texts')
export class NoticePages {
  constructor(
    private readonly framed: FramedLocation,
    private readonly locations: LocationAdministration,
    private readonly told: ToldNotices,
  ) {}

  @Costly()
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
      form: 'notices',
      values: form,
      path: textsPath(location_id),
      save: async () => {
        const notices = validChange(NoticesBody, form);
        await this.locations.changeLocation(location_id, { notices }, {}, context);
        return 'notices';
      },
      again: (refused) => this.#page(location_id, context, refused),
    });
  }

  async #page(
    location_id: string,
    { principal, deadline }: OperatorContext,
    refused?: Refused,
  ): Promise<Page> {
    const [framed, preview] = await Promise.all([
      this.framed.readLocation(location_id),
      this.told.previewTexts(location_id, deadline),
    ]);
    const { location } = framed;
    const content = (
      <div class="split asking">
        <Section title="Texts to tenants">
          <p>
            To the phone of the tenant who rents the unit, from 8 AM to 9 PM, a quarter of an hour after the
            change at the earliest. Ask tenants for their consent before you switch texts on.
          </p>
          {mayDo(principal.role, 'manager') ? (
            <NoticesForm {...{ location, refused }} />
          ) : (
            <NoticesShown location={location} />
          )}
        </Section>
        <Section title="What they say">
          <p>
            For a unit that is made up. The last column says how many tenants would have got the text. Phone
            and payment link come from <a href={contactPath(location_id)}>Contact</a>.
          </p>
          <NoticePreview preview={preview} />
        </Section>
      </div>
    );
    return locationPage(framed, '/texts', content, { refused });
  }
}
