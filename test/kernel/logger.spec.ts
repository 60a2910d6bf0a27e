import { createLogger } from '#kernel/logger.js';

function record(level: Parameters<typeof createLogger>[0]) {
  const lines: string[] = [];
  const logger = createLogger(level, { write: (line) => void lines.push(line) });
  return { logger, lines };
}

describe('the logger', () => {
  it('writes one JSON line with the stack of an error', () => {
    const { logger, lines } = record('info');
    logger.error({ request_id: 'r1', error: new Error('broken') }, 'A request failed.');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      service: 'storage-access',
      msg: 'A request failed.',
      request_id: 'r1',
      error: { message: 'broken', stack: expect.stringContaining('logger.spec') },
    });
  });

  it('keeps credentials and personal details out', () => {
    const { logger, lines } = record('info');
    const secrets = { token: 'S', password: 'S', phone: 'S', email: 'S', authorization: 'S', key: 'S' };
    const error = Object.assign(new Error('broken'), { ...secrets, details: [{ deep: secrets }] });
    logger.info({ ...secrets, request: { ...secrets, headers: [secrets] }, error }, 'Start.');
    expect(lines[0]).not.toContain('"S"');
    expect(lines[0]).toContain('broken');
    expect(secrets.token).toBe('S');
  });

  it('says nothing below its level', () => {
    const { logger, lines } = record('warn');
    logger.info({}, 'Start.');
    logger.debug({}, 'Detail.');
    expect(lines).toEqual([]);
  });
});
