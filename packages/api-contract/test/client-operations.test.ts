import { createClient } from '../../client/src/index.ts';
import type { ServedOperation } from '../src';
import { operations } from './shipped-document';

/** Tags of operations for other vendors' clients, for people, and for programs that are older than this API. */
const NOT_ITS_TAGS: ReadonlySet<string> = new Set([
  'Text',
  'Speech',
  'OpenAI',
  'Image tool, older interface',
  'Reference',
  'Upstreams',
]);
/** Operations whose work another method does as well, and more. */
const BY_OTHERS: Readonly<Record<string, string>> = {
  uploadImage: 'uploadFile takes every kind',
  getMusicTask: 'getTask reads tasks of every family',
  getImgtoolTask: 'getTask reads tasks of every family',
  getKeyBalanceTwin: 'getBalance',
  getAccountBalanceTwin: 'getAccountBalance',
};
const LARGE = new Blob([new Uint8Array(9 * 1024 * 1024)]);
const ENDED = { id: 'task_1', status: 'completed' };

/** Every method, asked for whatever it does; `submit` for each path. */
async function useAll(fetch: typeof globalThis.fetch): Promise<void> {
  const client = createClient({ baseUrl: 'https://gateway.example', apiKey: 'mg_key', fetch });
  const image = { model: 'imagegen-2.5-flare', prompt: 'a boat' } as const;
  const all: Record<keyof typeof client, () => unknown> = {
    submit: () => submissions.map(({ path }) => client.submit(path as '/v1/images/generations', image)),
    estimate: () => client.estimate('/v1/images/generations', image),
    waitFor: () => client.waitFor('task_1'),
    followTask: () => read(client.followTask('task_1')),
    getTask: () => client.getTask('task_1'),
    getTasks: () => client.getTasks(['task_1']),
    getLineage: () => client.getLineage('task_1'),
    listTasks: () => read(client.listTasks()),
    cancel: () => client.cancel('task_1'),
    listDeliveries: () => client.listDeliveries('task_1'),
    redeliver: () => client.redeliver('task_1'),
    redeliverMany: () => client.redeliverMany({ state: 'exhausted' }),
    verifyFile: () => client.verifyFile({ url: 'https://example.com/boat.jpg' }),
    uploadFile: () => client.uploadFile(LARGE).then(() => client.uploadFile(new Blob(['x']))),
    getFile: () => client.getFile('file_1'),
    listFiles: () => read(client.listFiles()),
    deleteFile: () => client.deleteFile('file_1'),
    downloadFile: () => client.downloadFile('https://gateway.example/v1/files/1.png'),
    listModels: () => client.listModels(),
    getModel: () => client.getModel('imagegen-2'),
    getBalance: () => client.getBalance(),
    getAccountBalance: () => client.getAccountBalance(),
    listLedger: () => read(client.listLedger()),
    getUsage: () => client.getUsage(),
    getInvoice: () => client.getInvoice(),
    testWebhook: () => client.testWebhook('https://example.com'),
    getWebhookSecret: () => client.getWebhookSecret(),
    rotateWebhookSecret: () => client.rotateWebhookSecret(),
    createKey: () => client.createKey({}),
    listKeys: () => read(client.listKeys()),
    updateKey: () => client.updateKey('1', {}),
    revokeKey: () => client.revokeKey('1'),
    listNotices: () => read(client.listNotices()),
    listNoticeTargets: () => client.listNoticeTargets(),
    createNoticeTarget: () => client.createNoticeTarget({ medium: 'slack', address: 'https://example.com' }),
    updateNoticeTarget: () => client.updateNoticeTarget('1', { kinds: [] }),
    removeNoticeTarget: () => client.removeNoticeTarget('1'),
    testNoticeTarget: () => client.testNoticeTarget('1'),
    getNoticeSettings: () => client.getNoticeSettings(),
    updateNoticeSettings: () => client.updateNoticeSettings({ low_balance: 1 }),
  };
  await Promise.all(Object.values(all).flatMap((use) => use()));
}

const submissions = operations.filter(({ id }) => /^create(?:Image|Video|Music|Imgtool)|^editImage/.test(id));

async function read(list: AsyncIterable<unknown>): Promise<void> {
  for await (const _entry of list);
}

/** An answer that any method can read. */
function answerOf(path: string): Response {
  if (path.endsWith('/events')) return new Response(`id: 1\ndata: ${JSON.stringify(ENDED)}\n\n`);
  const link = { id: 'file_1', method: 'PUT', url: 'https://storage.example/x', headers: {} };
  if (path.endsWith('/presign')) return Response.json({ data: link });
  return Response.json({ data: path === '/v1/tasks/task_1' ? ENDED : [{ task_id: 'task_1' }], next_cursor: null });
}

/** The operation that serves a request. A path of words alone comes before one with a parameter. */
function operationOf({ method, url }: Request): ServedOperation | undefined {
  const { pathname } = new URL(url);
  const served = operations.filter((operation) => operation.method === method.toLowerCase());
  const pattern = ({ path }: ServedOperation) =>
    new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`);
  return served.find(({ path }) => path === pathname) ?? served.find((operation) => pattern(operation).test(pathname));
}

it('packages/client asks for every operation that callers have no other client for, and for none that there is not', async () => {
  const asked = new Set<string>();
  const unknown: string[] = [];
  await useAll(async (input, init) => {
    const request = new Request(input, init);
    if (new URL(request.url).host === 'storage.example') return new Response();
    const operation = operationOf(request);
    if (operation) asked.add(operation.id);
    else unknown.push(`${request.method} ${request.url}`);
    return answerOf(new URL(request.url).pathname);
  });
  const owed = operations.filter(
    ({ auth, tag, id }) => auth !== 'operator' && !NOT_ITS_TAGS.has(tag) && !(id in BY_OTHERS),
  );
  expect([...asked].sort()).toEqual(owed.map(({ id }) => id).sort());
  expect(unknown).toEqual([]);
});
