import type { SearchEverywhere } from '#api/operator/index.js';
import type { Deadline } from '#kernel/yielder.js';
import type { NamedEntries, UnitReport } from '../activity/named-entries.js';

interface JudgedBy {
  readonly everywhere: SearchEverywhere;
  readonly named: NamedEntries;
  /** Of the location. */
  readonly currency: string;
  readonly deadline: Deadline | undefined;
}

/** Adds the cause of each denial at its time: the units of the tenant, as they were then. @throws GivenUpError */
export async function withTenantsUnitsThen<Tap extends UnitReport>(
  taps: readonly Tap[],
  { everywhere, named, currency, deadline }: JudgedBy,
) {
  const ofTenants = await everywhere.withUnits(taps);
  const unitIdsOf = ({ units }: (typeof ofTenants)[number]) => units.map(({ unit_id }) => unit_id);
  return named.withUnitsThen(ofTenants, { unitIdsOf, currency }, deadline);
}
