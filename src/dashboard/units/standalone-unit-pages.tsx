import { Param, Post } from '@nestjs/common';
import { ForOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { ObjectBody } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import { FactsBody, MoveInBody } from '#api/push/index.js';
import { StandaloneUnitWrites } from '#api/operator/index.js';
import { Pages } from '../frame/pages.js';
import { changesNothing, validChange } from '../parts/initial-values.js';
import { changeUnit, type UnitForm as Form } from './change-unit.js';
import { UnitTabs } from './unit-tabs.js';

/** The tenancy and the facts of a unit whose data is kept here (specification §1). */
@ForOperators('manager')
@Pages('dashboard/units/:unit_id')
export class StandaloneUnitPages {
  constructor(
    private readonly tabs: UnitTabs,
    private readonly standalone: StandaloneUnitWrites,
  ) {}

  @Post('tenancy')
  moveIn(@Param('unit_id') unit_id: string, @ObjectBody() form: Form, @Context() context: OperatorContext) {
    return changeUnit(this.tabs, 'access', 'move-in', 'moved_in', { unit_id, form, context }, async () =>
      this.standalone.moveIn(unit_id, validForm(MoveInBody, form), context),
    );
  }

  @Post('tenancy/end')
  moveOut(@Param('unit_id') unit_id: string, @ObjectBody() form: Form, @Context() context: OperatorContext) {
    return changeUnit(this.tabs, 'access', 'move-out', 'moved_out', { unit_id, form, context }, () =>
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
    return changeUnit(this.tabs, 'access', 'facts', isSame ? 'unchanged' : 'facts', given, async () => {
      if (!isSame) await this.standalone.changeFacts(unit_id, validChange(FactsBody, form), context);
    });
  }
}
