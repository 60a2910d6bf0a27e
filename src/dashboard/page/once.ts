import { derivedUlid } from '#kernel/derived-ulid.js';
import type { OperatorContext } from '#web/request-context.js';
import type { FormValues } from './page.js';

/** A form's fields, and the id of this one copy of the form. */
export function formOf(form: FormValues): { form_id: string | undefined; fields: FormValues } {
  const { form_id, ...fields } = form;
  return { form_id: typeof form_id === 'string' ? form_id : undefined, fields };
}

/**
 * The context in which a form that is sent twice acts once. The log keeps the command's id for ever, so the sender has no
 * say in it: another operator, or anything else asked for under the same `form_id`, is another command.
 * @param asked which form it is, and all that it asks for
 */
export function onceFor(
  form_id: string | undefined,
  [form, ...asked]: readonly [form: string, ...asked: string[]],
  context: OperatorContext,
): OperatorContext {
  if (form_id === undefined) return context;
  const of = [form, context.principal.id, ...asked, form_id];
  return { ...context, command_id: derivedUlid(...of), recovering: true };
}
