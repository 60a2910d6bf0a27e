import { LocationDecisions } from '#domain/access/index.js';

type Given = ConstructorParameters<typeof LocationDecisions>;

it('decisions of a location that is not in the views are an error that names it', async () => {
  const locations = { location: () => Promise.resolve(undefined) } as unknown as Given[0];
  const decisions = new LocationDecisions(locations, {} as Given[1], {} as Given[2]);
  await expect(decisions.decideUnits('L1', [])).rejects.toThrow('The views do not contain the location L1.');
});
