import { pushBulk } from './bulk.js';
import { pushFacts } from './change-facts.js';
import { pushMoveIn } from './move-in.js';
import { pushMoveOut } from './move-out.js';
import type { AnyOperation } from './operation.js';
import {
  operatorClearOverride,
  operatorEndShare,
  operatorOverride,
  operatorRename,
  operatorRetire,
  operatorRevive,
  operatorShare,
} from './operator-units.js';
import { registerStandalone, writeStandalone } from './standalone.js';

/** Every kind of write to units. A new one joins here. */
export const OPERATIONS: readonly AnyOperation[] = [
  pushMoveIn,
  pushMoveOut,
  pushFacts,
  pushBulk,
  operatorOverride,
  operatorClearOverride,
  operatorRename,
  operatorRetire,
  operatorRevive,
  operatorShare,
  operatorEndShare,
  registerStandalone,
  writeStandalone,
];

export function operationNamed(name: string): AnyOperation {
  return OPERATIONS.find((operation) => operation.name === name)!;
}
