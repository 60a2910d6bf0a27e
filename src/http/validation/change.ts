import type { Dto } from './decorators.js';

const changes = new WeakSet<Dto>();

/**
 * Class decorator of a DTO whose fields are all optional and that changes what it names: one that names none is refused, for a
 * forgotten field must not pass for success. Not inherited.
 */
export const IsChange = (): ClassDecorator => (dto) => void changes.add(dto as unknown as Dto);

export function isChange(dto: Dto): boolean {
  return changes.has(dto);
}
