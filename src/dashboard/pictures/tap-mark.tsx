import type { TapKind } from '../activity/activity-text.js';

interface TapMarkProps {
  /** `outside`: an opening outside of a gate's hours. */
  readonly kind: TapKind | 'outside';
  /** Percent of the picture's width: marks keep their size on a phone. */
  readonly x: number;
  readonly y: number;
  /** The lines of its tooltip, one for each tap. A sign of several taps shows their number. */
  readonly texts: readonly string[];
}

/** A tooltip shows this many lines. */
const MOST_LINES = 12;

/** A dot for an opening, a cross for a refusal or a failure, a diamond for an alarm. */
export function TapMark({ kind, x, y, texts }: TapMarkProps) {
  const count = texts.length;
  const more = count > MOST_LINES ? [`and ${count - MOST_LINES} more`] : [];
  return (
    <svg x={`${x}%`} y={y} overflow="visible">
      <g>
        <title>{[...texts.slice(0, MOST_LINES), ...more].join('\n')}</title>
        <Sign kind={kind} isSeveral={count > 1} />
        {count > 1 ? <Count of={kind} count={count} /> : null}
      </g>
    </svg>
  );
}

interface SignProps extends Pick<TapMarkProps, 'kind'> {
  readonly isSeveral: boolean;
}

function Sign({ kind, isSeveral }: SignProps) {
  const name = isSeveral ? `${kind} several` : kind;
  switch (kind) {
    case 'opened':
      return <circle class={name} r={isSeveral ? 7 : 4} />;
    case 'outside':
      return <path class={name} d={isSeveral ? 'M-7 -7h14v14h-14z' : 'M-4 -4h8v8h-8z'} />;
    case 'alarm':
      return (
        <path class={name} d={isSeveral ? 'M0 -9.5l9.5 9.5l-9.5 9.5l-9.5 -9.5z' : 'M0 -6l6 6l-6 6l-6 -6z'} />
      );
    case 'refused':
    case 'failed':
      return <path class={kind} d="M-4 -4l8 8m0 -8l-8 8" />;
  }
}

/** Beside a cross, in the middle of other signs. */
function Count({ of: kind, count }: { readonly of: TapMarkProps['kind']; readonly count: number }) {
  const isBeside = kind === 'refused' || kind === 'failed';
  return (
    <text class="sign-count" x={isBeside ? 7 : 0} y="3.5" text-anchor={isBeside ? 'start' : 'middle'}>
      {count}
    </text>
  );
}

/** The signs of taps in words. @param withOutside whether there is an opening outside of hours */
export function TapLegend({ withOutside }: { readonly withOutside: boolean }) {
  return (
    <>
      <span class="dot opened-dot" aria-hidden="true" /> opened{' '}
      {withOutside ? (
        <>
          <span class="dot outside-dot" aria-hidden="true" /> opened outside of hours{' '}
        </>
      ) : null}
      <span aria-hidden="true">✕</span> denied or failed{' '}
      <span class="alarm-sign" aria-hidden="true">
        ◆
      </span>{' '}
      opened while locked out. A number counts taps within minutes.
    </>
  );
}
