import { decideSite } from '../../src/sites/core/site.decide.js';
import type { SiteCommand, SiteRefusal } from '../../src/sites/core/site.commands.js';
import type { SiteEvent } from '../../src/sites/core/site.events.js';
import { evolveSite } from '../../src/sites/core/site.state.js';
import type { SiteState } from '../../src/sites/core/site.state.js';

/** The instant of every decision in these tests. */
export const NOW = Date.UTC(2026, 0, 1);

export function foldSite(events: readonly SiteEvent[], onto?: SiteState): SiteState | undefined {
  return events.reduce<SiteState | undefined>(
    (state, event) => evolveSite(state, event, (state?.revision ?? -1) + 1),
    onto,
  );
}

/** Given a stream's events, when a command is decided, then exactly these events or this refusal. */
export function givenSite(...events: readonly SiteEvent[]) {
  return {
    when(command: SiteCommand) {
      const decided = decideSite(foldSite(events), command, NOW);
      return {
        then: (...expected: readonly SiteEvent[]) => expect(eventsOf(decided)).toEqual(expected),
        thenNothing: () => expect(eventsOf(decided)).toEqual([]),
        thenRejected: (refusal: SiteRefusal) => expect(decided).toEqual({ rejected: refusal }),
        result: () => ('rejected' in decided ? undefined : decided.result),
      };
    },
  };
}

function eventsOf(decided: ReturnType<typeof decideSite>): readonly SiteEvent[] | SiteRefusal {
  return 'rejected' in decided ? decided.rejected : decided.events;
}
