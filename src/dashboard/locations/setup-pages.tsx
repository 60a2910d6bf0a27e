import { Get, Param, Post } from '@nestjs/common';
import { ForOperators } from '../../http/operator-access.js';
import { Context, type OperatorContext } from '../../http/request-context.js';
import { Costly } from '../../http/route-options.js';
import { ObjectBody } from '../../http/validation/valid.js';
import { LocationsController, readSetup, type SetupResult, SiteSetup } from '../../operator/index.js';
import { type FormValues, keptForm, lastOf, type Page, type Refused } from '../frame/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../frame/submit.js';
import { gateless } from './equipment-lists.js';
import { FramedLocation } from './framed-location.js';
import { locationPage, locationPath } from './location-frame.js';
import { SetupForm, SetupOutcome } from './setup-view.js';

/** Sets up zones and locks of many units at once. The rows are previewed before they are applied. */
@ForOperators('manager')
@Pages('dashboard/locations/:location_id/setup')
export class SetupPages {
  constructor(
    private readonly framed: FramedLocation,
    private readonly setup: SiteSetup,
    private readonly locations: LocationsController,
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
    const isPreview = lastOf(form['apply']) !== 'true';
    return submit({
      form: 'setup',
      values: form,
      act: async () => {
        await this.framed.of(location_id);
        const result = await this.setup.setUp(location_id, readSetup({ csv }), context, isPreview);
        const path = locationPath(location_id);
        const apply = { path: `${path}/setup`, csv };
        const closed = { names: await this.#gateless(location_id, result), path: `${path}/equipment` };
        const outcome = <SetupOutcome {...{ result, closed }} {...(isPreview && { apply })} />;
        return this.#page(location_id, isPreview ? keptForm('setup', form) : undefined, outcome);
      },
      again: (refused) => this.#page(location_id, refused),
    });
  }

  /** The names of the rows' zones that no entry point leads to. A new zone has none. */
  async #gateless(location_id: string, { rows }: SetupResult): Promise<string[]> {
    const { zones } = (await this.locations.zones(location_id)).data;
    const { entry_points } = (await this.locations.entryPoints(location_id)).data;
    const known = new Set(zones.map(({ name }) => name));
    const closed = new Set(gateless(zones, entry_points));
    const named = new Set(rows.flatMap(({ zone }) => zone ?? []));
    return [...named].filter((name) => closed.has(name) || !known.has(name));
  }

  async #page(location_id: string, refused?: Refused, above?: Page['content']): Promise<Page> {
    const content = (
      <>
        {above}
        <SetupForm path={`${locationPath(location_id)}/setup`} refused={refused} />
      </>
    );
    const framed = await this.framed.of(location_id);
    return locationPage(framed, '/equipment', content, { tab: 'Set up zones and locks', refused });
  }
}
