import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Refused } from '../frame/page.js';

/** What hears that a refusal is told where it stands. */
export const RefusalTold = createContext<() => void>(() => undefined);

/** Why a form was refused. */
export function Refusal({ refused }: { readonly refused: Refused | undefined }) {
  const told = useContext(RefusalTold);
  // A form that was tried out keeps what was typed, and was not refused.
  if (refused === undefined || refused.status < 400) return null;
  told();
  const { message, errors } = refused;
  // Two entries of a list may be told of in the same words.
  const messages = [...new Set(Object.values(errors).flat())];
  return (
    <div class="refusal" role="alert">
      {messages.length === 0 ? <p>{message}</p> : messages.map((one) => <p key={one}>{one}</p>)}
    </div>
  );
}
