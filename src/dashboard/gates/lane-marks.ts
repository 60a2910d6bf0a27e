import type { TapKind } from '../activity/activity-text.js';

/** `outside`: an opening outside of the hours. */
export type LaneKind = TapKind | 'outside';

/** A tap in a lane. */
export interface LaneTap {
  readonly id: string;
  readonly kind: LaneKind;
  /** Who, when and what, in words. */
  readonly text: string;
}

/** Taps of one kind within a few minutes, as one sign. */
export interface LaneMark {
  readonly id: string;
  readonly kind: LaneKind;
  /** Minutes since the lane's noon: that of its first tap. */
  readonly minute: number;
  /** One for each tap. */
  readonly texts: readonly string[];
  /** 0 is the lowest row of the lane. Two signs at nearly one time are in two rows. */
  readonly level: number;
}

/** Taps of one kind this near to the first of them have one sign. */
const TOGETHER_MINUTES = 20;
/** So wide is a sign with a number in a lane of usual width. */
const SIGN_MINUTES = 40;

/** The signs of a lane: none covers another, however many taps came at one instant. */
export function laneMarks(
  taps: readonly { readonly minute: number; readonly one: LaneTap }[],
): readonly LaneMark[] {
  const groups: { id: string; kind: LaneKind; minute: number; texts: string[] }[] = [];
  for (const { minute, one } of taps.toSorted((first, second) => first.minute - second.minute)) {
    const group = groups.findLast(({ kind }) => kind === one.kind);
    if (group !== undefined && minute - group.minute <= TOGETHER_MINUTES) group.texts.push(one.text);
    else groups.push({ id: one.id, kind: one.kind, minute, texts: [one.text] });
  }
  const lastOfLevel: number[] = [];
  return groups.map((group) => {
    const free = lastOfLevel.findIndex((last) => group.minute - last >= SIGN_MINUTES);
    const level = free === -1 ? lastOfLevel.length : free;
    lastOfLevel[level] = group.minute;
    return { ...group, level };
  });
}

/** The number of rows that the signs of a lane take. */
export function levelsOf(marks: readonly LaneMark[]): number {
  return Math.max(1, ...marks.map(({ level }) => level + 1));
}
