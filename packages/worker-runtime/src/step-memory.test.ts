import { newTaskId } from '@mediagate/contracts';
import { createRehostedFiles, createWaitingSlots } from './step-memory';

const URL = 'https://files.example/a.png';

describe('rehosted files', () => {
  it('are remembered by task and address, with the sizes of those that there was no space for', () => {
    const files = createRehostedFiles();
    const [id, other] = [newTaskId(), newTaskId()];
    files.rememberSize(id, URL, 5);
    files.rememberSize(id, `${URL}?b`, 6);
    files.remember(id, new Map([[URL, 'https://media.example/1']]));
    expect([files.sizeOf(id, URL), files.sizeOf(id, `${URL}?b`), files.sizeOf(other, URL)]).toEqual([5, 6, undefined]);
    expect([files.of(id).get(URL), files.of(other).size]).toEqual(['https://media.example/1', 0]);
  });

  it('leave nothing behind of a task that is over', () => {
    const files = createRehostedFiles();
    const id = newTaskId();
    files.rememberSize(id, URL, 5);
    files.remember(id, new Map([[URL, 'https://media.example/1']]));
    files.forget(id);
    expect([files.sizeOf(id, URL), files.of(id).size]).toEqual([undefined, 0]);
  });
});

it('a small worker keeps slots for the files of others, too', () => {
  const { files } = createWaitingSlots(8);
  const take = (accountId: string, host: string) => files.tryTake({ owner: { accountId }, keys: [host] });
  while (take('account', 'silent.example'));
  expect(take('other account', 'silent.example')).toBeUndefined();
  expect(take('other account', 'good.example')).toBeDefined();
});
