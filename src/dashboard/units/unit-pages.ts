import { Get, Param, Post } from '@nestjs/common';
import { toTimestamp } from '../../config/clock.js';
import { invalidField } from '../../http/api-error.js';
import { ForOperators } from '../../http/operator-access.js';
import { Context, type OperatorContext } from '../../http/request-context.js';
import { Costly } from '../../http/route-options.js';
import { labelOf } from '../../http/validation/decorators.js';
import { parseTimestamp } from '../../http/validation/rules.js';
import { ObjectBody, PlainQuery, validForm } from '../../http/validation/valid.js';
import { FactsBody, MoveInBody } from '../../push/index.js';
import { OperatorUnitsController, OverrideBody, StandaloneUnitsController } from '../../operator/index.js';
import { type FormValues, lastOf, type Page, SeeOther } from '../frame/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../frame/submit.js';
import { changesNothing, validChange } from '../parts/initial-values.js';
import { localInstant } from '../parts/words.js';
import { SLIDER_LABEL } from './as-of-forms.js';
import { changeUnit, type UnitForm as Form } from './change-unit.js';
import { unitPath } from './unit-list.js';
import { UnitAtInstantPage } from './unit-at-instant-page.js';
import { UnitPage } from './unit-page.js';

const MINUTE = 60_000;

/** @param minute whole minutes since 1970, from the slider @throws ApiError 422 if it is no number */
function instantOf(minute: string): number {
  if (!/^\d{1,9}$/.test(minute))
    throw invalidField(
      'minute',
      'out_of_range',
      `“${SLIDER_LABEL}” must be whole minutes since 1970, of at most nine digits.`,
    );
  return Number(minute) * MINUTE;
}

/** The value of a query parameter; undefined if empty. @throws ApiError 422 if it is given twice */
function saidOnce(query: FormValues, name: string): string | undefined {
  const said = query[name];
  if (said === undefined || typeof said === 'string') return said || undefined;
  throw invalidField(name, 'duplicate', `The address must say “${name}” only once.`);
}

/** A typed local date and time as an instant. @throws ApiError 422 if it is none */
function typedInstant(field: string, text: string, zone: string): string {
  const at = localInstant(text, zone);
  if (parseTimestamp(at) === undefined)
    throw invalidField(field, 'format', `The ${labelOf(field)} field must be a date and a time.`);
  return at;
}

/** The page of a unit, and overrides. */
@ForOperators('auditor')
@Pages('dashboard/units/:unit_id')
export class UnitPages {
  constructor(
    private readonly page: UnitPage,
    private readonly past: UnitAtInstantPage,
    private readonly units: OperatorUnitsController,
  ) {}

  /** As it is, or with `at` as it was at that instant, for a link that can be sent. */
  @Costly()
  @Get()
  async show(
    @Param('unit_id') unit_id: string,
    @PlainQuery() query: FormValues,
    @Context() context: OperatorContext,
  ): Promise<Page | SeeOther> {
    const [on, zone = 'UTC'] = [saidOnce(query, 'on'), saidOnce(query, 'zone')];
    const [minute, at] = [saidOnce(query, 'minute'), saidOnce(query, 'at')];
    if (on !== undefined) return this.#seenOn(unit_id, { on, zone }, context);
    if (minute !== undefined)
      return new SeeOther(`${unitPath(unit_id)}?at=${toTimestamp(instantOf(minute))}`);
    if (at !== undefined) return this.past.asOf(unit_id, at, context);
    return this.page.access(unit_id, context);
  }

  @ForOperators('manager')
  @Post('override')
  override(@Param('unit_id') unit_id: string, @ObjectBody() form: Form, @Context() context: OperatorContext) {
    return changeUnit(this.page, 'access', 'override', 'override', { unit_id, form, context }, async () => {
      const { location } = (await this.units.one(unit_id)).data;
      const ends = lastOf(form['expires_at']);
      const expires_at = ends ? typedInstant('expires_at', ends, location.timezone) : '';
      await this.units.override(unit_id, validForm(OverrideBody, { ...form, expires_at }), context);
    });
  }

  @ForOperators('manager')
  @Post('override/clear')
  clearOverride(
    @Param('unit_id') unit_id: string,
    @ObjectBody() form: Form,
    @Context() context: OperatorContext,
  ) {
    return changeUnit(this.page, 'access', 'clear', 'override_cleared', { unit_id, form, context }, () =>
      this.units.clearOverride(unit_id, context),
    );
  }

  async #seenOn(
    unit_id: string,
    values: { readonly on: string; readonly zone: string },
    context: OperatorContext,
  ) {
    await this.units.one(unit_id);
    return submit({
      form: 'as-of',
      values,
      act: () => {
        const at = typedInstant('on', values.on, values.zone);
        return Promise.resolve(new SeeOther(`${unitPath(unit_id)}?at=${encodeURIComponent(at)}`));
      },
      again: (refused) => this.page.access(unit_id, context, refused),
    });
  }
}

/** The tenancy and the facts of a unit whose data is kept here (specification §1). */
@ForOperators('manager')
@Pages('dashboard/units/:unit_id')
export class StandaloneUnitPages {
  constructor(
    private readonly page: UnitPage,
    private readonly standalone: StandaloneUnitsController,
  ) {}

  @Post('tenancy')
  moveIn(@Param('unit_id') unit_id: string, @ObjectBody() form: Form, @Context() context: OperatorContext) {
    return changeUnit(this.page, 'access', 'move-in', 'moved_in', { unit_id, form, context }, async () =>
      this.standalone.moveIn(unit_id, validForm(MoveInBody, form), context),
    );
  }

  @Post('tenancy/end')
  moveOut(@Param('unit_id') unit_id: string, @ObjectBody() form: Form, @Context() context: OperatorContext) {
    return changeUnit(this.page, 'access', 'move-out', 'moved_out', { unit_id, form, context }, () =>
      this.standalone.moveOut(unit_id, context),
    );
  }

  @Post('facts')
  changeFacts(
    @Param('unit_id') unit_id: string,
    @ObjectBody() form: Form,
    @Context() context: OperatorContext,
  ) {
    const isSame = changesNothing(form);
    const given = { unit_id, form, context };
    return changeUnit(this.page, 'access', 'facts', isSame ? 'unchanged' : 'facts', given, async () => {
      if (!isSame) await this.standalone.changeFacts(unit_id, validChange(FactsBody, form), context);
    });
  }
}
