import { Param, Post } from '@nestjs/common';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { ObjectBody } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import { FactsBody, type WriteWarning } from '#api/push/index.js';
import { StandaloneUnitWrites, TransferBody, UnitTransfers } from '#api/operator/index.js';
import { Pages } from '../frame/pages.js';
import { unitPath } from '../links/paths.js';
import { type Done, type FormValues, SeeOther } from '../page/page.js';
import { submit } from '../page/submit.js';
import { changesNothing, validChange } from '../parts/initial-values.js';
import { changeUnit } from './change-unit.js';
import { UnitTabs } from './unit-tabs.js';

/** The end of a tenancy, and the facts, of a unit whose data is kept here (specification §1). */
@ForOperators('manager')
@ForSiteOperators('named')
@Pages('dashboard/units/:unit_id')
export class StandaloneUnitPages {
  constructor(
    private readonly tabs: UnitTabs,
    private readonly standalone: StandaloneUnitWrites,
    private readonly transfers: UnitTransfers,
  ) {}

  @Post('tenancy/end')
  moveOut(
    @Param('unit_id') unit_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return changeUnit(this.tabs, 'access', 'move-out', 'moved_out', { unit_id, form, context }, () =>
      this.standalone.moveOut(unit_id, context),
    );
  }

  /** Leads to the page of the new unit. */
  @Post('transfer')
  transfer(
    @Param('unit_id') unit_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: 'transfer',
      values: form,
      act: async () => {
        const body = validForm(TransferBody, form);
        const { to_unit_id, warnings = [] } = await this.transfers.transfer(unit_id, body, context);
        return new SeeOther(unitPath(to_unit_id), transferred(warnings));
      },
      again: (refused) => this.tabs.access(unit_id, context, refused),
    });
  }

  @Post('facts')
  changeFacts(
    @Param('unit_id') unit_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    const isSame = changesNothing(form);
    const given = { unit_id, form, context };
    return changeUnit(this.tabs, 'access', 'facts', isSame ? 'unchanged' : 'facts', given, async () => {
      if (!isSame) await this.standalone.changeFacts(unit_id, validChange(FactsBody, form), context);
    });
  }
}

/** What the page of the new unit says. */
function transferred(warnings: readonly Pick<WriteWarning, 'code'>[]): Done {
  const codes = new Set(warnings.map(({ code }) => code));
  if (codes.has('written_during_transfer')) return 'transferred_without_newest';
  return codes.has('keys_still_valid') ? 'transferred_with_keys' : 'transferred';
}
