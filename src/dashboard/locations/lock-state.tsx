import type { LastReport } from '#domain/locks/index.js';
import { None } from '../parts/layout.js';
import { Recent } from '../parts/times.js';
import type { LockNeed } from './lock-need.js';

export const NEED_TEXTS: Readonly<Record<LockNeed, string>> = {
  battery: 'Battery low',
  silent: 'Silent for a day',
  spare: 'Spare',
  none: 'In service',
};

const TONES: Readonly<Record<LockNeed, 'bad' | 'warn' | 'info' | 'good'>> = {
  battery: 'bad',
  silent: 'warn',
  spare: 'info',
  none: 'good',
};

interface NeedPillProps {
  readonly need: LockNeed;
  /** `l` beside a page's heading. */
  readonly size?: 'usual' | 'l';
}

/** What a lock needs, in a word or two. */
export function NeedPill({ need, size = 'usual' }: NeedPillProps) {
  return <span class={`pill ${TONES[need]}${size === 'l' ? ' l' : ''}`}>{NEED_TEXTS[need]}</span>;
}

interface NeedSentenceProps {
  readonly need: LockNeed;
  /** Undefined where no app has reported from it. */
  readonly report: LastReport | undefined;
  readonly zone: string;
  /** By the company's clock, in milliseconds. */
  readonly now: number;
}

/** What to do about it. Nothing for a lock that is well. */
export function NeedSentence({ need, report, zone, now }: NeedSentenceProps) {
  if (need === 'none') return null;
  return <p class="sentence">{sentenceOf({ need, report, zone, now })}</p>;
}

function sentenceOf({ need, report, zone, now }: NeedSentenceProps) {
  if (need === 'spare') return 'It is on no unit: nobody opens anything with it.';
  const since = (at: number) => <Recent {...{ at, zone, now }} place="within" />;
  const { at, battery } = report!;
  if (need === 'battery')
    return (
      <>
        Change its battery: {battery!.percent} % left, reported {since(battery!.at)}.
      </>
    );
  return <>Nothing was reported since {since(at)}. If somebody used it since then, try it.</>;
}

/** When an app reported from a lock last. */
export function LastReported({ report, zone, now }: Omit<NeedSentenceProps, 'need'>) {
  return report === undefined ? <None>none yet</None> : <Recent at={report.at} {...{ zone, now }} />;
}
