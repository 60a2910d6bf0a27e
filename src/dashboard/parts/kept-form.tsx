import { type ComponentChildren, createContext, isValidElement, toChildArray } from 'preact';
import { useContext } from 'preact/hooks';
import { render } from 'preact-render-to-string';
import type { KeptForm } from '../page/kept-form.js';
import { lastOf, type Page, type Refused } from '../page/page.js';

/** A form on the page, as it is rendered. */
interface RenderedForm {
  readonly name: string;
  /** Where its buttons send it. */
  readonly actions: readonly string[];
  readonly children: ComponentChildren;
}

interface KeptState {
  readonly refused: Refused | undefined;
  readonly note: (form: RenderedForm) => void;
}

/** The form of the page that is filled in as it was sent after the session had ended. */
export const KeptFormContext = createContext<KeptState>({ refused: undefined, note: () => undefined });

/** The reason why a form is shown again: its own refusal, or the session that had ended. */
export function useRefused(form: string, refused: Refused | undefined): Refused | undefined {
  const { refused: kept } = useContext(KeptFormContext);
  return [refused, kept].find((one) => one?.form === form);
}

export function useNotedForm(form: RenderedForm): void {
  useContext(KeptFormContext).note(form);
}

const MESSAGE =
  'You were signed out before this was sent: nothing was saved. Check it, and send it again. Passwords and codes are not kept.';

/** The form of a page that sends what was kept; undefined if the page has none. */
export function keptIn(
  { content, about: { acts, beside, peek } }: Page,
  kept: KeptForm,
): Refused | undefined {
  const forms: RenderedForm[] = [];
  const note = (form: RenderedForm) => {
    if (form.actions.includes(kept.action)) forms.push(form);
  };
  render(
    <KeptFormContext.Provider value={{ refused: undefined, note }}>
      {acts}
      {beside}
      {content}
      {peek}
    </KeptFormContext.Provider>,
  );
  const fitOf = ({ children }: RenderedForm) =>
    fixedIn(children).filter(([name, value]) => lastOf(kept.values[name]) === value).length;
  // Two forms of a page may send to one address. Their hidden fields tell them apart.
  const [best] = forms.toSorted((one, other) => fitOf(other) - fitOf(one));
  return best && { form: best.name, values: kept.values, status: 401, message: MESSAGE, errors: {} };
}

/** Values among a form's children that nobody types. */
function fixedIn(children: ComponentChildren): readonly (readonly [name: string, value: string])[] {
  return toChildArray(children).flatMap((child) => {
    if (!isValidElement(child)) return [];
    const { name, value, label, children: inner } = child.props as Readonly<Record<string, unknown>>;
    const isFixed = typeof name === 'string' && typeof value === 'string' && label === undefined;
    return [...(isFixed ? [[name, value] as const] : []), ...fixedIn(inner as ComponentChildren)];
  });
}
