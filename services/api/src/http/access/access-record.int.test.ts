import type { LogFields, Logger } from '@mediagate/host';
import { forAllTests } from '@mediagate/testkit';
import { SMALL_IMAGE, startTestApi } from '../../../test/test-api';
import { fileOf, pngOf } from '../../../test/test-images';

const lines: { level: string; event: string; fields: LogFields }[] = [];

let onLine: () => void = () => undefined;

function recordingLogger(): Logger {
  const at =
    (level: string) =>
    (event: string, fields: LogFields = {}) => {
      lines.push({ level, event, fields });
      onLine();
    };
  const logger: Logger = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: () => logger,
  };
  return logger;
}

const api = forAllTests(() => startTestApi({ logger: recordingLogger() }));
const caller = forAllTests(() => api.createCaller());
beforeEach(() => {
  lines.length = 0;
});

const requests = () => lines.filter((line) => line.event === 'http.request');

/** A line is written once the answer is out, which its reader may know before. */
async function untilRequests(count: number): Promise<typeof lines> {
  while (requests().length < count) {
    await new Promise<void>((resolve) => {
      onLine = resolve;
    });
  }
  return requests();
}

describe('the log of requests', () => {
  it('has one line for each, which says who, what and how it ended', async () => {
    const { body } = await api.post('/v1/images/generations', SMALL_IMAGE, {
      key: caller.key,
      headers: { 'x-request-id': 'order-1' },
    });
    expect(await untilRequests(1)).toEqual([
      {
        level: 'info',
        event: 'http.request',
        fields: {
          requestId: 'order-1',
          method: 'POST',
          route: '/v1/images/generations',
          status: 200,
          keyId: caller.keyId,
          accountId: caller.accountId,
          taskId: body.data[0].task_id,
          durationMs: expect.any(Number),
        },
      },
    ]);
  });

  it('names the route by its pattern, and paths there are none of all alike', async () => {
    await api.get('/v1/tasks/task_1', { key: caller.key });
    await api.get('/somewhere/else');
    expect((await untilRequests(2)).map(({ fields }) => [fields.route, fields.status])).toEqual([
      ['/v1/tasks/:id', 404],
      ['(unknown)', 404],
    ]);
  });

  it('holds no key, prompt, file name, signature or body', async () => {
    const marker = 'marker-that-no-log-may-hold';
    await api.post('/v1/images/generations', { ...SMALL_IMAGE, prompt: marker, webhook: `https://${marker}/` }, caller);
    await api.post('/v1/images/generations', { ...SMALL_IMAGE, n: marker }, caller);
    await api.post('/v1/images/generations', `{"prompt":"${marker}`, caller);
    const form = new FormData();
    form.set('file', fileOf(pngOf(2, 2)), `${marker}.png`);
    const upload = await api.post('/v1/uploads/images', form, caller);
    const link = new URL(upload.body.url);
    await api.get(`${link.pathname}${link.search}`);
    await api.get('/v1/balance', { headers: { authorization: `Bearer ${marker}` } });
    await untilRequests(6);
    const text = JSON.stringify(lines);
    expect(text).not.toContain(marker);
    expect(text).not.toContain(caller.key.split('_')[2]);
    expect(text).not.toContain(link.searchParams.get('signature'));
  });
});
