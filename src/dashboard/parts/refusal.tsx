import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Refused } from '../frame/page.js';

/** Called by the form that shows the refusal. */
export const RefusalTold = createContext<() => void>(() => undefined);

export function Refusal({ refused }: { readonly refused: Refused | undefined }) {
  const told = useContext(RefusalTold);
  // A preview keeps the typed values and is no refusal.
  if (refused === undefined || refused.status < 400) return null;
  told();
  const { message, errors } = refused;
  // Two entries of a list may have the same message.
  const messages = [...new Set(Object.values(errors).flat())];
  return (
    <div class="refusal" role="alert">
      {messages.length === 0 ? <p>{message}</p> : messages.map((one) => <p key={one}>{one}</p>)}
    </div>
  );
}
