import { ApiError } from '#kernel/errors/api-error.js';
import type { FormValues, Page, Refused, SeeOther } from './page.js';

/** Statuses that are shown in the form. Other refusals get a page of their own. */
const OF_THE_FORM: readonly number[] = [404, 409, 413, 422, 429];

export interface Submission {
  /** The name of the form on its page. */
  readonly form: string;
  readonly values: object;
  /** The action of the form; answers with the next page. */
  readonly act: () => Promise<SeeOther | Page>;
  /** The page with the form, which shows the refusal and what was typed. */
  readonly again: (refused: Refused) => Promise<Page>;
}

/** Runs the action of a form. @throws ApiError that the form cannot show */
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

function refusedBy(error: ApiError, form: string, values: object): Refused {
  const { status, message, errors = {} } = error;
  return { form, values: values as FormValues, status, message, errors };
}
