import { taskError } from '@mediagate/billing';
import { message, newTaskId } from '@mediagate/contracts';
import { createMessages } from '@mediagate/languages';
import type { ReadRow } from '@mediagate/tasks';
import type { Api } from '../../../api';
import type { Call } from '../../../http/exchange';
import { getTasks } from './get-task-batch';
import { listTasks } from './list-tasks';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const caller = { accountId: 'own', ownKeyId: null };
const texts = ['one', 'two', 'three', 'four', 'five'];
const rows = texts.map(
  (text) =>
    ({
      id: newTaskId(),
      accountId: caller.accountId,
      status: 'failed',
      error: taskError('upstream_error', { message: message('foreign', { text }) }),
      createdAt: new Date(),
      completedAt: null,
      webhook: null,
    }) as unknown as ReadRow,
);

it.each([
  ['a batch', getTasks, { given: { body: { task_ids: rows.map(({ id }) => id), language: 'ja' } } }],
  ['a list', listTasks, { query: { language: 'ja' } }],
] as const)(
  'a translator that is silent delays %s by the time that it delays one text',
  async (_what, answer, sent) => {
    const translator = jest.fn(() => new Promise<never>(() => undefined));
    const api = {
      tasks: { database: { readTask: async (id: string) => rows.find((row) => row.id === id) } },
      database: { listTasks: async () => rows },
      messages: createMessages({ translator }),
      creditsPerUnit: 1,
    } as unknown as Api;
    const response = { setHeader: () => undefined, end: jest.fn() };
    const call = { request: { headers: {}, query: {}, ...sent }, response, caller, ...sent } as unknown as Call;
    const answered = answer(call, api, undefined as never);
    await jest.advanceTimersByTimeAsync(1_999);
    expect(translator).toHaveBeenCalledTimes(rows.length);
    expect(response.end).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    await answered;
    const { data } = JSON.parse(response.end.mock.calls[0]?.[0]);
    expect(data.map(({ error }: { error: { message: string } }) => error.message)).toEqual(texts);
  },
);
