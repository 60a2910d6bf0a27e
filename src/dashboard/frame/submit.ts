import { ApiError } from '../../http/api-error.js';
import type { FormValues, Page, Refused, SeeOther } from './page.js';

/** Refusals that are of what stands in a form; of others there is a page of their own. */
const OF_THE_FORM: readonly number[] = [404, 409, 413, 422, 429];

export interface Submission {
  /** Which of the page's forms. */
  readonly form: string;
  readonly values: object;
  /** Does what the form asks for, and says what is shown then. */
  readonly act: () => Promise<SeeOther | Page>;
  /** The page that had the form, to which what was refused goes back with what was typed. */
  readonly again: (refused: Refused) => Promise<Page>;
}

/** Carries out a form. @throws ApiError for what is not of the form's fields */
export async function submit({ form, values, act, again }: Submission): Promise<SeeOther | Page> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ApiError) || !OF_THE_FORM.includes(error.status)) throw error;
    const refused = refusedBy(error, form, values);
    const page = await again(refused);
    return page.with(error.headers, refused);
  }
}

function refusedBy({ status, message, errors = {} }: ApiError, form: string, values: object): Refused {
  return { form, values: values as FormValues, status, message, errors };
}
