import type { OperatorContext } from '../../http/index.js';
import { type Done, SeeOther } from '../frame/page.js';
import { submit } from '../frame/submit.js';
import { unitPath } from './unit-list.js';
import type { UnitPage } from './unit-page.js';

/** A form of a unit's page as it was sent. */
export type UnitForm = Readonly<Record<string, string>>;

export interface GivenForm {
  readonly unit_id: string;
  readonly form: UnitForm;
  readonly context: OperatorContext;
}

/** Carries out a form of a unit's page, to which it leads back. */
export function changeUnit(
  page: UnitPage,
  form: string,
  { unit_id, form: values, context }: GivenForm,
  act: () => Promise<Done>,
) {
  return submit({
    form,
    values,
    act: async () => {
      const done = await act();
      return new SeeOther(unitPath(unit_id), done);
    },
    again: (refused) => page.now(unit_id, context, refused),
  });
}
