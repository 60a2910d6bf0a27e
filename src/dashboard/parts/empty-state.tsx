import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.js';

interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: string;
  /** The next step, as a link or a button. */
  readonly acts?: ComponentChildren;
  /** One sentence. */
  readonly children: ComponentChildren;
}

/** A list without entries: what it will hold, and the next step. */
export function EmptyState({ icon, title, acts, children }: EmptyStateProps) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <h3>{title}</h3>
      <p>{children}</p>
      {acts === undefined ? null : <div class="acts">{acts}</div>}
    </div>
  );
}
