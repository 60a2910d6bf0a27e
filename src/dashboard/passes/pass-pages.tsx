import { Get, Param, Post } from '@nestjs/common';
import { PassAdministration, PassChangeBody, PassReads, type ShownPassDetail } from '#api/operator/index.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import { FramedLocation } from '../frame/framed-location.js';
import { locationPage } from '../frame/location-frame.js';
import { Pages } from '../frame/pages.js';
import { passPath } from '../links/paths.js';
import { type Done, type FormValues, type Page, type Refused, SeeOther } from '../page/page.js';
import { submit } from '../page/submit.js';
import { changedValues, changesNothing, emptiedIn } from '../parts/initial-values.js';
import { Section } from '../parts/layout.js';
import { mayDo } from '../parts/roles.js';
import { PassForm } from './pass-form.js';
import { EndPass, PassKeys, PassTerms } from './pass-view.js';
import { namingRentedUnits, PassUnits } from './pass-units.js';
import { hoursOfPassText } from './pass-words.js';
import { namesHours, typedTerms, typedWeek, unitNamesIn } from './typed-pass.js';

/** The page of a pass. */
@ForOperators('auditor')
@ForSiteOperators('named')
@Pages('dashboard/passes/:pass_id')
export class PassPages {
  constructor(
    private readonly framed: FramedLocation,
    private readonly reads: PassReads,
    private readonly passes: PassAdministration,
    private readonly named: PassUnits,
    private readonly directory: LocationDirectory,
  ) {}

  @Get()
  show(
    @Param('pass_id') pass_id: string,
    @PlainQuery() { done }: { readonly done?: unknown },
    @Context() context: OperatorContext,
  ): Promise<Page> {
    const isSaved = done === ('pass_given' satisfies Done) || done === ('pass' satisfies Done);
    return this.#page(pass_id, context, { isSaved });
  }

  @ForOperators('manager')
  @Costly()
  @Post()
  change(
    @Param('pass_id') pass_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: 'pass',
      values: form,
      act: async () => {
        if (changesNothing(form)) return new SeeOther(passPath(pass_id), 'unchanged');
        const change = await this.#changeIn(form, pass_id);
        await namingRentedUnits(unitNamesIn(form), () => this.passes.changePass(pass_id, change, context));
        return new SeeOther(passPath(pass_id), 'pass');
      },
      again: (refused) => this.#page(pass_id, context, { refused }),
    });
  }

  @ForOperators('manager')
  @Post('end')
  end(
    @Param('pass_id') pass_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: 'end-pass',
      values: form,
      act: async () => {
        await this.passes.endPass(pass_id, context);
        return new SeeOther(passPath(pass_id), 'pass_ended');
      },
      again: (refused) => this.#page(pass_id, context, { refused }),
    });
  }

  /** @throws ApiError 404, 422 */
  async #changeIn(form: FormValues, pass_id: string): Promise<PassChangeBody> {
    const { location_id } = await this.reads.readPass(pass_id);
    const { location } = await this.framed.readLocation(location_id);
    const { unit_ids, ...changed } = changedValues(form);
    const week = namesHours(changed) ? typedWeek(form) : undefined;
    const terms = {
      ...typedTerms(changed, location.timezone),
      ...(unit_ids !== undefined && { unit_ids: await this.named.findIds(location_id, unitNamesIn(form)) }),
    };
    // A body without a field is refused, and hours may be all that changes.
    const body = Object.keys(terms).length === 0 ? {} : validForm(PassChangeBody, terms, emptiedIn(form));
    return { ...body, ...(week !== undefined && { hours: week }) };
  }

  async #page(
    pass_id: string,
    { principal }: OperatorContext,
    { refused, isSaved = false }: { readonly refused?: Refused; readonly isSaved?: boolean },
  ): Promise<Page> {
    const pass = await this.reads.readPass(pass_id);
    const framed = await this.framed.readLocation(pass.location_id);
    const { timezone } = framed.location;
    const { entry_points = [] } = (await this.directory.location(pass.location_id)) ?? {};
    const mayChange = mayDo(principal.role, 'manager') && pass.standing !== 'ended';
    const content = (
      <div class="split even">
        <Section title="Pass">
          <PassTerms pass={pass} zone={timezone} />
          <PassKeys pass={pass} zone={timezone} />
          {mayChange ? <EndPass pass={pass} refused={refused} /> : null}
        </Section>
        {mayChange ? (
          <Section title="Change">
            <PassForm
              action={passPath(pass_id)}
              zone={timezone}
              gates={entry_points}
              refused={refused}
              of={{ kind: 'known', pass }}
            />
          </Section>
        ) : null}
      </div>
    );
    const about = { title: titleOf(pass), tab: 'Pass', refused };
    const outcome = isSaved ? { outcome: `Hours: ${hoursOfPassText(pass.hours)}.` } : {};
    return locationPage(framed, '/passes', content, { ...about, ...outcome });
  }
}

function titleOf({ name }: ShownPassDetail): string {
  return name ?? 'A pass, whose holder was erased';
}
