import { Get, Param, Post } from '@nestjs/common';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { ObjectBody } from '#web/validation/parameters.js';
import { SiteSetup } from '#api/operator/index.js';
import { type FormValues, keptForm, lastOf, type Page, type Refused } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../page/submit.js';
import { FramedLocation } from '../frame/framed-location.js';
import { locationPage } from '../frame/location-frame.js';
import { locationPath } from '../links/paths.js';
import { SetupForm, SetupRowsView } from './setup-view.js';

/** Sets up zones and locks of many units at once. The rows are previewed before they are applied. */
@ForOperators('manager')
@ForSiteOperators('named')
@Pages('dashboard/locations/:location_id/setup')
export class SetupPages {
  constructor(
    private readonly framed: FramedLocation,
    private readonly setup: SiteSetup,
  ) {}

  @Get()
  show(@Param('location_id') location_id: string) {
    return this.#page(location_id);
  }

  /** Applied a second time the rows change nothing, so a reload of the answer does no harm. */
  @Costly()
  @Post()
  setUp(
    @Param('location_id') location_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    const csv = lastOf(form['csv']) ?? '';
    const add_units = lastOf(form['add_units']) === 'true';
    const isPreview = lastOf(form['apply']) !== 'true';
    return submit({
      form: 'setup',
      values: form,
      act: async () => {
        const mode = isPreview ? 'rehearse' : 'carry_out';
        const result = await this.setup.setUp({ csv, add_units }, { location_id, context, mode });
        const path = locationPath(location_id);
        const apply = { path: `${path}/setup`, csv, add_units };
        const outcome = (
          <SetupRowsView {...{ result, equipment: `${path}/equipment` }} {...(isPreview && { apply })} />
        );
        return this.#page(location_id, isPreview ? keptForm('setup', form) : undefined, outcome);
      },
      again: (refused) => this.#page(location_id, refused),
    });
  }

  /** @param shownForm a form that was refused, or that is kept for the next step */
  async #page(location_id: string, shownForm?: Refused, above?: Page['content']): Promise<Page> {
    const content = (
      <>
        {above}
        <SetupForm path={`${locationPath(location_id)}/setup`} refused={shownForm} />
      </>
    );
    const framed = await this.framed.readLocation(location_id);
    return locationPage(framed, '/equipment', content, { tab: 'Set up zones and locks', refused: shownForm });
  }
}
