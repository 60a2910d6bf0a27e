import type { SignOnSettings } from '#kernel/environment/sign-on-settings.js';
import { isLinked } from '#domain/operators/index.js';
import type { Operator } from './listed-operator.js';

type Ways = Pick<Operator, 'password' | 'sign_on' | 'second_factor'>;

/** The provider of now, if the operator is linked to a person there. */
export function linkedProvider(
  operator: Pick<Ways, 'sign_on'>,
  sign_on: SignOnSettings | undefined,
): SignOnSettings | undefined {
  return isLinked(operator, sign_on) ? sign_on : undefined;
}

/** `Password and code`, `Evergreen ID`, `Password, not chosen yet`. */
export function signInText(operator: Ways, sign_on: SignOnSettings | undefined): string {
  const code = operator.second_factor ? ' and code' : '';
  const provider = linkedProvider(operator, sign_on);
  if (provider !== undefined) return `${provider.label}${code}`;
  if (sign_on?.only === true) return `${sign_on.label}, not linked yet`;
  if (operator.password === 'missing') return 'Password, not chosen yet';
  return operator.password === 'given' ? `Password${code}, to be changed` : `Password${code}`;
}
