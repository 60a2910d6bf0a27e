import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Refused } from '../page/page.js';

/** Called by the form that shows the refusal. */
export const RefusalShown = createContext<() => void>(() => undefined);

interface RefusalProps {
  readonly refused: Refused | undefined;
  /** The id of the element that a message is about, by the path of the error. */
  readonly idOf?: (path: string) => string | undefined;
}

/** The reasons of a refusal, with links to the fields. It takes the focus when the page opens. */
export function Refusal({ refused, idOf }: RefusalProps) {
  const noteShown = useContext(RefusalShown);
  // A preview keeps the typed values and is no refusal.
  if (refused === undefined || refused.status < 400) return null;
  noteShown();
  const { message, errors } = refused;
  // Entries of a list may have the same message. That of two fields leads to each.
  const messages = new Map(
    Object.entries(errors).flatMap(([path, faults]) => {
      const id = idOf?.(path);
      return faults.map((fault) => [`${id} ${fault}`, { fault, id }] as const);
    }),
  );
  return (
    <div class="refusal" role="alert" tabIndex={-1} autofocus>
      {messages.size === 0 ? <p>{message}</p> : null}
      {[...messages].map(([key, { fault, id }]) => (
        <p key={key}>{id === undefined ? fault : <a href={`#${id}`}>{fault}</a>}</p>
      ))}
    </div>
  );
}
