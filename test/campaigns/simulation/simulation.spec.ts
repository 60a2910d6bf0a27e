import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IN_CAMPAIGN } from '../../support/campaign.js';
import { hunt } from './mutants/hunt.js';
import { mutantNamed, mutate, MUTANTS } from './mutants/mutants.js';
import { playSeed } from './run.js';

const ROOT = join(__dirname, '..', '..', '..');

describe('simulation', () => {
  it('holds the service to the model in every deployment, and plays a seed the same way every time', async () => {
    const outcomes = [];
    for (const seed of ['1', '2', '3', '3']) outcomes.push(await playSeed(seed, 20));
    expect(outcomes.flatMap(({ failure }) => failure ?? [])).toEqual([]);
    expect(outcomes.map(({ deployment }) => deployment)).toEqual([
      'single',
      'embedded',
      'cluster',
      'cluster',
    ]);
    expect(outcomes[3]!.fingerprint).toBe(outcomes[2]!.fingerprint);
  });

  it.each(MUTANTS)('still has the place for the mutant $name', (mutant) => {
    const text = readFileSync(join(ROOT, mutant.file), 'utf8');
    expect(mutate(mutant, text)).not.toBe(text);
  });

  // A hunt compiles the service anew.
  if (IN_CAMPAIGN)
    it('finds a seeded fault and shrinks it', () => {
      const { steps, shrunk } = hunt(mutantNamed('grace-turned-round'))!;
      expect(shrunk).toBeLessThan(steps);
    });
});
