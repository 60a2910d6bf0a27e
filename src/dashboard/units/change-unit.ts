import type { OperatorContext } from '../../http/request-context.js';
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

/** A part of a unit's page whose forms may be refused. */
const PARTS = {
  access: '',
  setup: '/setup',
} as const;

/** Carries out a form of a unit's page and leads back to its part. @param done what the page then says */
export function changeUnit(
  page: UnitPage,
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
    again: (refused) => page[part](unit_id, context, refused),
  });
}
