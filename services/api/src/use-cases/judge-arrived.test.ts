import { wavOf } from '../../test/test-files';
import { CallerLeftError } from './caller-connection';
import { judgeArrived } from './save-upload';

it.each<[when: string, signal: AbortSignal, expected: unknown]>([
  ['has left', AbortSignal.abort(), expect.any(CallerLeftError)],
  ['is there', new AbortController().signal, new Error('broken')],
])('a file that cannot be judged is an error of its own where its caller %s', async (_when, signal, expected) => {
  const prober = { playable: () => Promise.reject(new Error('broken')), document: jest.fn(), pdfPages: jest.fn() };
  const owner = { id: 'key', accountId: 'account', isTest: false };
  const file = { content: wavOf(1), owner, signal, takeMemory: () => undefined };
  await expect(judgeArrived({ prober, maxImageBytes: 1 }, file)).rejects.toEqual(expected);
});
