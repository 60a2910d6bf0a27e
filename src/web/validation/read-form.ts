import type { FieldFault } from '#kernel/errors/field-fault.js';
import type { Dto } from './decorators.js';
import { planOf } from './dto-plan.js';
import { readText } from './read-query.js';
import { asRead, fieldFault, REQUIRED, throwAny, checkEntry } from './check.js';

/**
 * Checks the fields of a form. Converts them like a query. A repeated field becomes a list if the DTO has one, otherwise the
 * last value counts. An empty field becomes null, or is dropped if null is not allowed.
 * @param emptied fields that the user has cleared: they are refused if null is not allowed
 * @throws ApiError 422
 */
export function validForm<T extends object>(dto: Dto<T>, form: object, emptied: readonly string[] = []): T {
  const missing: FieldFault[] = [];
  const values = Object.assign(Object.create(null) as Record<string, unknown>, form);
  for (const { name, rules, nullable, each } of planOf(dto).fields) {
    const given = [values[name] ?? []].flat() as string[];
    const text = given.at(-1);
    if (text === undefined) delete values[name];
    else if (each !== undefined) values[name] = given.filter((one) => one !== '');
    else if (text !== '') values[name] = readText(text, rules[0]?.schema.type);
    else if (nullable) values[name] = null;
    else if (emptied.includes(name)) missing.push(fieldFault(name, REQUIRED));
    else delete values[name];
  }
  throwAny(checkEntry(dto, values), missing);
  return asRead(planOf(dto), { ...values }) as T;
}
