import type { TapKind } from '../units/activity-text.js';

interface TapMarkProps {
  readonly kind: TapKind;
  readonly x: number;
  readonly y: number;
  /** What it was, in words. */
  readonly text: string;
  readonly isNewest?: boolean;
}

/** A dot for an opening, a cross for a refusal, a diamond for an alarm. */
export function TapMark({ kind, x, y, text, isNewest = false }: TapMarkProps) {
  const more = { class: kind, 'data-newest': isNewest ? '' : undefined };
  const title = <title>{text}</title>;
  if (kind === 'opened') {
    return (
      <circle cx={x} cy={y} r="4" {...more}>
        {title}
      </circle>
    );
  }
  const d = kind === 'alarm' ? `M${x} ${y - 6}l6 6l-6 6l-6 -6z` : `M${x - 4} ${y - 4}l8 8m0 -8l-8 8`;
  return (
    <path d={d} {...more}>
      {title}
    </path>
  );
}

/** The signs of taps in words. */
export function TapLegend() {
  return (
    <>
      <span class="dot opened-dot" aria-hidden="true" /> opened <span aria-hidden="true">✕</span> denied{' '}
      <span class="alarm-sign" aria-hidden="true">
        ◆
      </span>{' '}
      opened while locked out
    </>
  );
}
