import { erase } from './erasure.js';
import type { AnyFlow } from './operation.js';
import { changePass, issuePass, passAccess, readPasses } from './passes.js';
import { history, list } from './reads.js';
import { replay, reuse } from './retries.js';
import { advanceClock } from './sandbox-clock.js';
import { changeNotices, changePolicy, changeWhatWarns, hangLock, serviceGate, zoneUnit } from './site.js';
import { rivalTransfers, transfer } from './transfer.js';
import { tenantShare } from './tenant-shares.js';
import { access, changeTenant, gateTap, login, logout, tap } from './tenants.js';

/** Everything that is more than one write to units. A new one joins here. */
export const FLOWS: readonly AnyFlow[] = [
  replay,
  reuse,
  changePolicy,
  changeWhatWarns,
  changeNotices,
  hangLock,
  zoneUnit,
  serviceGate,
  advanceClock,
  login,
  logout,
  access,
  tap,
  gateTap,
  changeTenant,
  erase,
  tenantShare,
  issuePass,
  changePass,
  readPasses,
  passAccess,
  transfer,
  rivalTransfers,
  list,
  history,
];

export function flowNamed(name: string): AnyFlow {
  return FLOWS.find((flow) => flow.name === name)!;
}
