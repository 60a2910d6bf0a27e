import { Get, Param, Post } from '@nestjs/common';
import { toTimestamp } from '#kernel/timestamp.js';
import { invalidField } from '#kernel/errors/api-error.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import { UnitAdministration, OverrideBody } from '#api/operator/index.js';
import { type FormValues, keptForm, lastOf, type Page, SeeOther } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../page/submit.js';
import { SLIDER_LABEL } from './as-of-forms.js';
import { typedInstant } from './typed-instant.js';
import { changeUnit, type UnitForm as Form } from './change-unit.js';
import { unitPath } from '../links/paths.js';
import { UnitAtInstantPage } from './unit-at-instant-page.js';
import { UnitTabs } from './unit-tabs.js';

const MINUTE_MS = 60_000;

/** @param minute whole minutes since 1970, from the slider @throws ApiError 422 if it is no number */
function instantOf(minute: string): number {
  if (!/^\d{1,9}$/.test(minute))
    throw invalidField(
      'minute',
      'out_of_range',
      `“${SLIDER_LABEL}” must be whole minutes since 1970, of at most nine digits.`,
    );
  return Number(minute) * MINUTE_MS;
}

/** The value of a query parameter; undefined if empty. @throws ApiError 422 if it is given twice */
function saidOnce(query: FormValues, name: string): string | undefined {
  const said = query[name];
  if (said === undefined || typeof said === 'string') return said || undefined;
  throw invalidField(name, 'duplicate', `The address must say “${name}” only once.`);
}

/** The page of a unit, and overrides. */
@ForOperators('auditor')
@ForSiteOperators('named')
@Pages('dashboard/units/:unit_id')
export class UnitPages {
  constructor(
    private readonly tabs: UnitTabs,
    private readonly past: UnitAtInstantPage,
    private readonly units: UnitAdministration,
  ) {}

  /** As it is, or with `at` as it was at that instant, for a link that can be sent. */
  @Costly()
  @Get()
  async show(
    @Param('unit_id') unit_id: string,
    @PlainQuery() query: FormValues,
    @Context() context: OperatorContext,
  ): Promise<Page | SeeOther> {
    const on = saidOnce(query, 'on');
    const zone = saidOnce(query, 'zone') ?? 'UTC';
    const minute = saidOnce(query, 'minute');
    const at = saidOnce(query, 'at');
    if (on !== undefined) return this.#seenOn(unit_id, { on, zone }, context);
    if (minute !== undefined)
      return new SeeOther(`${unitPath(unit_id)}?at=${toTimestamp(instantOf(minute))}`);
    if (at !== undefined) return this.past.showAt(unit_id, at, context);
    // The palette and the list of whom to call lead here: the form is open, and nothing is done yet.
    const asked =
      saidOnce(query, 'do') === 'let-in' ? keptForm('override', { override: 'exempt' }) : undefined;
    return this.tabs.access(unit_id, context, asked);
  }

  @ForOperators('manager')
  @Post('override')
  override(@Param('unit_id') unit_id: string, @ObjectBody() form: Form, @Context() context: OperatorContext) {
    return changeUnit(this.tabs, 'access', 'override', 'override', { unit_id, form, context }, async () => {
      const { location } = await this.units.readUnit(unit_id);
      const ends = lastOf(form['expires_at']);
      const expires_at = ends ? typedInstant('expires_at', ends, location.timezone) : '';
      await this.units.setOverride(unit_id, validForm(OverrideBody, { ...form, expires_at }), context);
    });
  }

  @ForOperators('manager')
  @Post('override/clear')
  clearOverride(
    @Param('unit_id') unit_id: string,
    @ObjectBody() form: Form,
    @Context() context: OperatorContext,
  ) {
    return changeUnit(this.tabs, 'access', 'clear', 'override_cleared', { unit_id, form, context }, () =>
      this.units.clearOverride(unit_id, context),
    );
  }

  async #seenOn(
    unit_id: string,
    values: { readonly on: string; readonly zone: string },
    context: OperatorContext,
  ) {
    await this.units.readUnit(unit_id);
    return submit({
      form: 'as-of',
      values,
      act: () => {
        const at = typedInstant('on', values.on, values.zone);
        return Promise.resolve(new SeeOther(`${unitPath(unit_id)}?at=${encodeURIComponent(at)}`));
      },
      again: (refused) => this.tabs.access(unit_id, context, refused),
    });
  }
}
