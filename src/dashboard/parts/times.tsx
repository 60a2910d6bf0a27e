import { instantText, type Precision } from './words.js';

interface InstantProps {
  /** ISO 8601; null for never. */
  readonly at: string | null;
  readonly zone?: string | undefined;
  readonly otherwise?: string;
  readonly to?: Precision;
}

/** An instant by the clock of a place; whoever points at it sees the second. */
export function Instant({ at, zone, otherwise = 'never', to }: InstantProps) {
  if (at === null) return <span class="none">{otherwise}</span>;
  return (
    <time dateTime={at} title={instantText(at, zone, 'second')}>
      {instantText(at, zone, to)}
    </time>
  );
}
