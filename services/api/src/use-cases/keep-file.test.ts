import { GatewayError, message } from '@mediagate/contracts';
import { MediaError } from '@mediagate/media';
import { CallerLeftError } from './caller-connection';
import { type ArrivingFile, createJudgeArriving } from './keep-file';

const caller = { id: 'key', accountId: 'account', isTest: false };
const file = { path: 'file', totalBytes: 1000 };
const judged = { bytes: file, contentType: 'audio/wav', seconds: 1 };

function scene(judge = async () => judged) {
  const folders = { made: 0, removed: 0 };
  const judgeArriving = createJudgeArriving({
    health: { require: () => undefined, use: (_place, work) => work() },
    judge,
    disk: { lease: createDisk() },
    async makeFolder() {
      folders.made += 1;
      return {
        path: 'folder',
        async remove() {
          folders.removed += 1;
        },
      };
    },
  });
  const memory = { take: () => undefined };
  const arrive = (change: Partial<ArrivingFile<string>> = {}) =>
    judgeArriving<string>({
      caller,
      memory,
      signal: new AbortController().signal,
      announcedBytes: 0,
      async receive(_path, take) {
        const refused = take(file.totalBytes);
        if (refused) throw refused;
        return file;
      },
      keep: async ({ contentType }) => contentType,
      ...change,
    });
  return { arrive, folders };
}

/** A disk with a turn for one file, of as many bytes as the file has. */
function createDisk() {
  const full = new GatewayError('rate_limited', message('too_many_large_requests'));
  let open = 0;
  return () => {
    let taken = 0;
    return {
      own: () => undefined,
      open() {
        if (open > 0) return full;
        open += 1;
        return undefined;
      },
      take(bytes: number) {
        taken += bytes;
        return taken > file.totalBytes ? full : undefined;
      },
      release() {
        open -= 1;
      },
    };
  };
}

const failing = (error: unknown) => ({ receive: () => Promise.reject(error) });

it('keeps what was found good, and leaves nothing on the disk', async () => {
  const { arrive, folders } = scene();
  await expect(arrive()).resolves.toBe('audio/wav');
  expect(folders).toEqual({ made: 1, removed: 1 });
});

it.each([
  ['is refused', new MediaError('file', message('no_sound')), { code: 'invalid_request', param: 'file' }],
  ['is too large', new MediaError('file', message('no_sound'), { tooLarge: true }), { code: 'body_too_large' }],
  ['cannot be judged', new Error('broken'), { message: 'broken' }],
])('leaves nothing on the disk of a file that %s, and no turn taken', async (_how, error, expected) => {
  const { arrive, folders } = scene(() => Promise.reject(error));
  for (let turn = 1; turn <= 3; turn += 1) await expect(arrive()).rejects.toMatchObject(expected);
  expect(folders).toEqual({ made: 3, removed: 3 });
});

it('takes no more at once than an account has turns and disk for', async () => {
  const { arrive, folders } = scene();
  let arrived = (_file: typeof file): void => undefined;
  const first = arrive({
    receive: () =>
      new Promise((resolve) => {
        arrived = resolve;
      }),
  });
  await expect(arrive()).rejects.toMatchObject({ code: 'rate_limited' });
  arrived(file);
  await first;
  const refusals: (GatewayError | undefined)[] = [];
  await arrive({
    async receive(_path, take) {
      for (const bytes of [file.totalBytes, 1]) refusals.push(take(bytes));
      return file;
    },
  });
  expect(refusals).toEqual([undefined, expect.any(GatewayError)]);
  expect(folders).toEqual({ made: 2, removed: 2 });
});

it('refuses a file for which there is no room before it is received, and counts an announced one once', async () => {
  const { arrive, folders } = scene();
  const receive = jest.fn(async (_path: string, take: (bytes: number) => GatewayError | undefined) => {
    expect([take(file.totalBytes), take(1)]).toEqual([undefined, expect.any(GatewayError)]);
    return file;
  });
  await expect(arrive({ announcedBytes: file.totalBytes + 1, receive })).rejects.toMatchObject({
    code: 'rate_limited',
  });
  expect([receive.mock.calls.length, folders.made]).toEqual([0, 0]);
  await expect(arrive({ announcedBytes: file.totalBytes, receive })).resolves.toBe('audio/wav');
});

it('is over for a caller who has left, whatever it came to', async () => {
  const { arrive, folders } = scene();
  const signal = AbortSignal.abort();
  await expect(arrive({ ...failing(new Error('aborted')), signal })).rejects.toBeInstanceOf(CallerLeftError);
  expect(folders).toEqual({ made: 1, removed: 1 });
});
