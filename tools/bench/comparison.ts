import { type Sample, rowName } from './rounds.js';
import { groupBy, median } from './statistics.js';

/** One figure of a sample. Undefined if it was not measured. */
export type Figure = (sample: Sample) => number | undefined;

/** The rate as a share of bare Express' rate. */
export const ratio: Figure = ({ rate, ceilingRate }) => rate / ceilingRate;
/** The time of a request of a single client. */
export const millisecondsEach: Figure = ({ rate }) => 1_000 / rate;
export const processorMilliseconds: Figure = ({ cpuMicroseconds }) =>
  cpuMicroseconds === undefined ? undefined : cpuMicroseconds / 1_000;

/** The samples of each row, by the row's name. */
export function byRow(samples: readonly Sample[]): Map<string, Sample[]> {
  return groupBy(samples, rowName);
}

/** The names of the contestants, in their order. */
export function contestantsIn(samples: readonly Sample[]): string[] {
  return [...new Set(samples.map(({ contestant }) => contestant))];
}

/** The median of a contestant's figure over the rounds. NaN if there is no figure. */
export function middle(samples: readonly Sample[], contestant: string, figure: Figure): number {
  const own = samples.filter((sample) => sample.contestant === contestant);
  return median(own.flatMap((sample) => figure(sample) ?? []));
}

/**
 * One contestant's figure divided by another's of the same round, as the median over the rounds. In one round both met the same
 * load of the machine.
 */
export function quotient(
  [samples, others]: readonly [readonly Sample[], readonly Sample[]],
  figure: Figure,
): number {
  const known = new Map(others.map((sample) => [sample.round, figure(sample)]));
  return median(
    samples.flatMap((sample) => {
      const [own, other] = [figure(sample), known.get(sample.round)];
      return own === undefined || other === undefined || other === 0 ? [] : own / other;
    }),
  );
}

/** One contestant's samples among those of a row. */
export function of(samples: readonly Sample[], contestant: string): Sample[] {
  return samples.filter((sample) => sample.contestant === contestant);
}
