type Counter =
  'loseAnswers' | 'refusals' | 'falseConflicts' | 'unavailable' | 'withoutPosition' | 'answerTwice';

/** Faults that the double makes on purpose. All are off until a test asks for one. */
export class Faults {
  /** The next so many appends are stored and their answers never sent. */
  loseAnswers = 0;
  /** How many were lost so. */
  answersLost = 0;
  /** After storing so many more appends the server is killed, before it answers the last. */
  killAfterStoring = 0;
  /** The next so many appends are answered "Server Is Not Ready" and not stored. */
  refusals = 0;
  /** The next so many appends are answered as conflicts, whatever they are. */
  falseConflicts = 0;
  /** The next so many calls fail with UNAVAILABLE. */
  unavailable = 0;
  /** The next so many appends are answered twice, and with an answer to an append that nobody made. */
  answerTwice = 0;
  /** Appends are answered "Server Is Not Ready"; every other one is stored all the same. */
  notReady = false;
  /** The next so many repeated appends are acknowledged without a position. */
  withoutPosition = 0;
  /**
   * A subscription that goes live is told of the place where the next event will stand, with a prepare position of 0. So
   * 24.10 and later may do it by their source, where what was searched ends with the log; not seen on a real one.
   */
  tellsEndAsCheckpoint = false;
  private hold: { readonly released: Promise<void>; readonly release: () => void } | undefined;

  /** Appends are accepted but not worked on (their deadlines run) until the returned function is called. */
  holdAppends(): () => void {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.hold = { released, release };
    return () => {
      this.hold = undefined;
      release();
    };
  }

  /** What is held back is forgotten with its server. */
  stopHolding(): void {
    this.hold = undefined;
  }

  get held(): Promise<void> | undefined {
    return this.hold?.released;
  }

  /** Takes one from a counter; true where there was one. */
  take(counter: Counter): boolean {
    if (this[counter] <= 0) return false;
    this[counter] -= 1;
    return true;
  }

  /** True where the answer to a stored append is to be lost. */
  losesAnswer(): boolean {
    if (!this.take('loseAnswers')) return false;
    this.answersLost += 1;
    return true;
  }

  /** Counts a stored append; true where it was the one to die after. */
  storedTheLast(): boolean {
    if (this.killAfterStoring <= 0) return false;
    this.killAfterStoring -= 1;
    return this.killAfterStoring === 0;
  }
}
