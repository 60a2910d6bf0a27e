import type { TapKind } from '../activity/activity-text.js';

interface TapMarkProps {
  readonly kind: TapKind;
  /** Percent of the picture's width: marks keep their size on a phone. */
  readonly x: number;
  readonly y: number;
  /** The text of its tooltip. */
  readonly text: string;
}

/** A dot for an opening, a cross for a refusal or a failure, a diamond for an alarm. */
export function TapMark({ kind, x, y, text }: TapMarkProps) {
  const title = <title>{text}</title>;
  return (
    <svg x={`${x}%`} y={y} overflow="visible">
      {kind === 'opened' ? (
        <circle class={kind} r="4">
          {title}
        </circle>
      ) : (
        <path class={kind} d={kind === 'alarm' ? 'M0 -6l6 6l-6 6l-6 -6z' : 'M-4 -4l8 8m0 -8l-8 8'}>
          {title}
        </path>
      )}
    </svg>
  );
}

/** The signs of taps in words. */
export function TapLegend() {
  return (
    <>
      <span class="dot opened-dot" aria-hidden="true" /> opened <span aria-hidden="true">✕</span> denied or
      failed{' '}
      <span class="alarm-sign" aria-hidden="true">
        ◆
      </span>{' '}
      opened while locked out
    </>
  );
}
