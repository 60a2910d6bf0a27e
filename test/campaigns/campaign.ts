/** One stretch of a campaign. */
export interface Round {
  /** The source of chance: the same seed plays the same. */
  readonly seed: number;
  /** About how long it may go on; it does something however little that is. */
  readonly seconds: number;
  readonly say: (line: string) => void;
}

/** Plays the service for longer than people wait for tests. */
export interface Campaign {
  readonly name: string;
  readonly about: string;
  /** Whether it is played only where it is named. */
  readonly onlyByName?: boolean;
  /**
   * @returns what was played
   * @throws Error naming what is otherwise than it must be; NotPlayed
   */
  play(round: Round): Promise<string>;
}

/** A part that the campaign needs is missing. */
export class NotPlayed extends Error {}
