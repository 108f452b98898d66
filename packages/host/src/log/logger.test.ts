import { PassThrough } from 'node:stream';
import { createLogger, type LoggerOptions } from './logger';

function logging(options: Partial<LoggerOptions> = {}) {
  const output = new PassThrough({ encoding: 'utf8' });
  const logger = createLogger({ service: 'test', level: 'info', output, ...options });
  const lines = () =>
    String(output.read() ?? '')
      .split('\n')
      .filter((line) => line !== '');
  return { logger, lines };
}

describe('the logger', () => {
  it('writes one line of JSON for an event, with the fields bound to it and its own', () => {
    const { logger, lines } = logging();
    logger.child({ requestId: 'req_1' }).info('http.request', { status: 200, amountNano: 5n });
    expect(lines().map((line) => JSON.parse(line))).toEqual([
      {
        level: 'info',
        message: 'http.request',
        service: 'test',
        timestamp: expect.any(String),
        requestId: 'req_1',
        status: 200,
        amountNano: '5',
      },
    ]);
  });

  it('writes a readable line where that is asked for, and never two for one event', () => {
    const { logger, lines } = logging({ format: 'text' });
    logger.error('task.attempted', { taskId: 'task_1', error: new Error('one\ntwo'), settings: { A: 'b\nforged' } });
    const [line, ...more] = lines();
    expect(line).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} error task\.attempted taskId=task_1 error=Error: one two at .* settings=\{"A":"b forged"\}$/,
    );
    expect(more).toEqual([]);
  });

  it('keeps to its level', () => {
    const { logger, lines } = logging({ level: 'warn' });
    logger.info('quiet');
    logger.debug('quiet');
    logger.warn('loud');
    expect(lines()).toHaveLength(1);
  });

  it.each(['text', 'json'] as const)('prints no secret as %s, in whichever part of a line', (format) => {
    const secret = 'whsec_0123456789abcdef';
    const { logger, lines } = logging({ format });
    const bound = logger.child({ detail: secret });
    bound.info(`event ${secret}`, {
      reason: secret,
      error: new Error(`line\n  ${secret}`, { cause: secret }),
      settings: { A: secret, LINK_SECRET: 'plain words' },
    });
    const text = lines().join('\n');
    expect(text).toContain('***');
    expect(text).not.toMatch(/0123456789|plain words/);
  });
});
