import type { Campaign, Round } from '../campaign.js';
import { playSeed } from './run.js';
import { shrink } from './shrink.js';

const STEPS = 160;
/** Milliseconds. */
const SHRINKING = 90_000;
const OPTIONS = { hasReceivers: true } as const;

/** The simulation ends each seed with what was announced. This one also has systems that receive it. */
export const announcements: Campaign = {
  name: 'announcements',
  about: 'random facilities whose changes of access reach receivers once, under kills and rebuilds',
  async play({ seed, seconds, say }: Round): Promise<string> {
    const begun = Date.now();
    let [seeds, steps, crashes, messages] = [0, 0, 0, 0];
    do {
      const outcome = await playSeed(`announcements ${seed + seeds}`, STEPS, OPTIONS);
      seeds += 1;
      steps += outcome.played;
      crashes += outcome.crashes;
      messages += outcome.messages;
      const { failure } = outcome;
      if (failure === undefined) continue;
      say(`Seed ${failure.seed} fails at step ${failure.steps.length}: ${failure.message}`);
      const shortest = await shrink(failure, SHRINKING, OPTIONS);
      for (const step of shortest.steps) say(JSON.stringify(step));
      throw new Error(`Seed ${failure.seed}: ${shortest.message}`);
    } while (Date.now() - begun < seconds * 1_000);
    return `${seeds} seeds from ${seed} on, ${steps} steps, ${crashes} crashes, ${messages} messages`;
  },
};
