import { toTimestamp } from '#kernel/timestamp.js';
import * as schema from '#web/openapi/schemas.js';
import type { CompanyClocks, CompanyDocument } from '#domain/companies/index.js';

const { flag, instant, nullable, named, object, says, whole } = schema;

/** Whether a company is a sandbox, and the sandbox's clock (docs/adr/0010). */
export function presentSandbox(
  { ahead_seconds }: Pick<CompanyDocument, 'ahead_seconds'>,
  clocks: CompanyClocks,
) {
  if (ahead_seconds === undefined) return { sandbox: false, clock: null };
  return {
    sandbox: true,
    clock: { now: toTimestamp(clocks.clockOf({ ahead_seconds }).now()), ahead_seconds },
  };
}

/** The schema of `presentSandbox`. */
export const SANDBOX_MEMBERS = {
  sandbox: says(
    'True if the company is for trying things out: a clock of its own, no real SMS, keys that open nothing.',
    flag,
  ),
  clock: says(
    "The sandbox's clock. Null for a company that is not a sandbox.",
    nullable(
      named(
        'SandboxClock',
        object({
          now: says("The sandbox's time.", instant),
          ahead_seconds: says('Seconds by which the sandbox is ahead of the world.', whole),
        }),
      ),
    ),
  ),
};
