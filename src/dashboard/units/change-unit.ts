import type { OperatorContext } from '#web/request-context.js';
import { type Done, type FormValues, SeeOther } from '../page/page.js';
import { submit } from '../page/submit.js';
import { unitPath } from '../links/paths.js';
import type { UnitTabs } from './unit-tabs.js';

export interface GivenForm {
  readonly unit_id: string;
  /** Of a unit's page, as it was sent. */
  readonly form: FormValues;
  readonly context: OperatorContext;
}

/** A part of a unit's page whose forms may be refused. */
const PARTS = {
  access: '',
  setup: '/setup',
} as const;

/** Carries out a form of a unit's page and leads back to its part. @param done what the page then says */
export function changeUnit(
  tabs: UnitTabs,
  part: keyof typeof PARTS,
  form: string,
  done: Done,
  { unit_id, form: values, context }: GivenForm,
  act: () => Promise<unknown>,
) {
  return submit({
    form,
    values,
    act: async () => {
      await act();
      return new SeeOther(`${unitPath(unit_id)}${PARTS[part]}`, done);
    },
    again: (refused) => tabs[part](unit_id, context, refused),
  });
}
