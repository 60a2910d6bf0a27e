import { type Done, type Page, SeeOther } from '../page/page.js';
import { type Submission, submit } from '../page/submit.js';
import { changesNothing } from './initial-values.js';

interface Change extends Omit<Submission, 'act'> {
  /** The page that comes next. */
  readonly path: string;
  /** Saves what was changed. Answers with the message about it, or with another page. */
  readonly save: () => Promise<Done | SeeOther | Page>;
}

/** Saves a form that has the first values of its fields. One that was sent as it stood saves nothing. */
export function submitChange({ path, save, ...form }: Change): Promise<SeeOther | Page> {
  const act = async () => {
    if (changesNothing(form.values)) return new SeeOther(path, 'unchanged');
    const saved = await save();
    return typeof saved === 'string' ? new SeeOther(path, saved) : saved;
  };
  return submit({ ...form, act });
}
