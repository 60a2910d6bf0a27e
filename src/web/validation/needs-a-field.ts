import type { Dto } from './decorators.js';

const changes = new WeakSet<Dto>();

/**
 * Class decorator of a DTO with optional fields only. A body without any field is refused, because the client has probably
 * forgotten one. Not inherited.
 */
export const NeedsAField = (): ClassDecorator => (dto) => void changes.add(dto as unknown as Dto);

export function needsAField(dto: Dto): boolean {
  return changes.has(dto);
}
