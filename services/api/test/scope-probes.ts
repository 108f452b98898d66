import type { KeyOperationId } from '@mediagate/api-contract';
import type { JsonObject } from '@mediagate/contracts';
import { catalogue } from './shared/known-api';
import { OPERATIONS } from './shared/operations';
import { SMALL_IMAGE } from './test-api';

/** Ids of what a key has made, or ids that nothing has. */
export interface Belongings {
  /** A task that has failed, whose callback was refused. */
  ended: string;
  /** A task that has not begun. */
  open: string;
  /** An ended task of the image tool, with buttons. */
  grid: string;
  /** An ended task of music. */
  track: string;
  /** An upload: an image. */
  file: string;
  /** An announced upload. */
  incoming: string;
  keyId: string;
}

/** One request by which a key tries to find or to change what another has made. */
export interface Probe {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: JsonObject;
}

type ProbesOf = (of: Belongings) => Probe[];

/** Words that stand in the prompt and metadata of whatever is not to be seen. */
export const MARK = 'of-the-sibling-alone';

const get =
  (...paths: ((of: Belongings) => string)[]): ProbesOf =>
  (of) =>
    paths.map((path) => ({ method: 'GET', path: path(of) }));
const send =
  (
    path: (of: Belongings) => string,
    body: (of: Belongings) => JsonObject,
    method: Probe['method'] = 'POST',
  ): ProbesOf =>
  (of) => [{ method, path: path(of), body: body(of) }];
/** Nothing is made where it succeeds. */
const tryOut = (path: string, body: (of: Belongings) => JsonObject) => send(() => `${path}?dry_run=true`, body);
/** It finds and names nothing that a key has made. */
const nothing: ProbesOf = () => [];

const withFile = ({ file }: Belongings) => ({ ...SMALL_IMAGE, image_urls: [file] });

/** Each path of a family on which an earlier task is gone on with. */
function followUps(family: string, sourceOf: (of: Belongings) => string): ProbesOf {
  const entries = catalogue.entries.filter((entry) => entry.family === family);
  const examples = entries.flatMap(({ route, examples: [example = {}] }) =>
    'task_id' in example ? (route?.paths ?? []).map((path) => [path, example] as const) : [],
  );
  return (of) =>
    examples.map(([path, { model: _, ...example }]) => ({
      method: 'POST',
      path: `${path}?dry_run=true`,
      body: { ...example, task_id: sourceOf(of) },
    }));
}

/** How a sibling tries each route: who adds one says so here. */
const PROBES: Record<KeyOperationId, ProbesOf> = {
  listTasks: get(
    () => '/v1/tasks',
    () => '/v1/tasks?include=input,attempts,ledger',
    () => '/v1/tasks?status=failed',
    () => '/v1/tasks?status=submitted',
    () => '/v1/tasks?family=imgtool',
    () => '/v1/tasks?model=imagegen-2.5-flare',
    () => '/v1/tasks?callback=failed',
    () => `/v1/tasks?metadata.secret=${MARK}`,
    () => `/v1/tasks?idempotency_key=${MARK}`,
    ({ grid }) => `/v1/tasks?parent_task_id=${grid}`,
  ),
  getTasks: send(
    () => '/v1/tasks/batch',
    ({ ended, open, grid }) => ({ task_ids: [ended, open, grid] }),
  ),
  getTask: get(
    ({ ended }) => `/v1/tasks/${ended}`,
    // The second request is answered from memory: the task has ended and has no callback.
    ({ grid }) => `/v1/tasks/${grid}`,
    ({ grid }) => `/v1/tasks/${grid}`,
    ({ open }) => `/v1/tasks/${open}?wait=0&include=input,attempts,ledger&language=de`,
  ),
  followTask: get(({ ended }) => `/v1/tasks/${ended}/events`),
  getLineage: get(({ grid }) => `/v1/tasks/${grid}/lineage`),
  getMusicTask: get(({ track }) => `/v1/music/tasks/${track}`),
  generateText: nothing,
  streamText: nothing,
  countTokens: nothing,
  generatePlainText: nothing,
  streamPlainText: nothing,
  countPlainTokens: nothing,
  generatePlainTextV1: nothing,
  streamPlainTextV1: nothing,
  countPlainTokensV1: nothing,
  listTextModels: nothing,
  getTextModel: nothing,
  listTextModelsV1: nothing,
  getTextModelV1: nothing,
  createSpeech: nothing,
  createOpenAiSpeech: nothing,
  createImage: tryOut('/v1/images/generations', withFile),
  editImage: tryOut('/v1/images/edits', withFile),
  createVideo: tryOut('/v1/videos/generations', ({ file }) => ({
    model: 'videoa-2.6',
    prompt: 'a lighthouse',
    image_urls: [file],
  })),
  createMusic: followUps('music', ({ track }) => track),
  createImgtool: followUps('imgtool', ({ grid }) => grid),
  getImgtoolTask: get(({ grid }) => `/v1/imgtool/${grid}`),
  createOpenAiImage: tryOut('/openai/v1/images/generations', withFile),
  editOpenAiImage: tryOut('/openai/v1/images/edits', withFile),
  createChat: tryOut('/openai/v1/chat/completions', ({ file }) => ({
    model: 'text-2.5-flash',
    messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: file } }] }],
  })),
  createResponse: tryOut('/openai/v1/responses', ({ file }) => ({
    model: 'text-2.5-flash',
    input: [{ role: 'user', content: [{ type: 'input_image', file_id: file }] }],
  })),
  listOpenAiModels: nothing,
  getOpenAiModel: nothing,
  listModelsV1: nothing,
  getModelV1: nothing,
  legacyImagine: tryOut('/mj/submit/imagine', ({ file }) => ({ prompt: 'a lighthouse', base64Array: [file] })),
  legacyBlend: tryOut('/mj/submit/blend', ({ file }) => ({ base64Array: [file, 'https://media.example.com/b.png'] })),
  legacyDescribe: tryOut('/mj/submit/describe', ({ file }) => ({ link: file })),
  legacyShorten: nothing,
  legacyChange: tryOut('/mj/submit/change', ({ grid }) => ({ taskId: grid, action: 'UPSCALE', index: 1 })),
  legacySimpleChange: tryOut('/mj/submit/simple-change', ({ grid }) => ({ content: `${grid} U1` })),
  legacyEdits: tryOut('/mj/submit/edits', ({ file }) => ({ prompt: 'make it night', image: file })),
  legacyAction: tryOut('/mj/submit/action', ({ grid }) => ({ taskId: grid, customId: 'MJ::JOB::upsample::1::h' })),
  legacyModal: tryOut('/mj/submit/modal', ({ grid }) => ({ taskId: grid, prompt: 'a lighthouse' })),
  legacyVideo: tryOut('/mj/submit/video', ({ grid }) => ({ taskId: grid, index: 1, motion: 'low' })),
  legacyFetchTask: get(({ grid }) => `/mj/task/${grid}/fetch`),
  legacyListTasks: send(
    () => '/mj/task/list-by-condition',
    ({ grid }) => ({ ids: [grid] }),
  ),
  createEstimate: send(
    () => '/v1/estimate',
    ({ grid }) => ({ path: '/v1/imgtool/generations/upscale', body: { task_id: grid, index: 1 } }),
  ),
  uploadImage: nothing,
  createFile: nothing,
  // Its own test tries which results are compared.
  verifyFile: nothing,
  announceFile: nothing,
  listFiles: get(() => '/v1/files'),
  getFileRecord: get(({ file }) => `/v1/files/${file}`),
  completeFile: (of) => [
    { method: 'POST', path: `/v1/files/${of.incoming}/complete`, body: {} },
    { method: 'POST', path: `/v1/files/${of.file}/complete`, body: {} },
  ],
  getKeyBalance: nothing,
  getKeyBalanceTwin: nothing,
  getAccountBalance: get(() => '/v1/user/balance'),
  getAccountBalanceTwin: get(() => '/user/balance'),
  listLedger: get(
    () => '/v1/ledger',
    ({ ended }) => `/v1/ledger?task_id=${ended}`,
  ),
  getInvoice: get(() => '/v1/invoice'),
  getUsage: get(
    () => '/v1/usage?group_by=key',
    () => '/v1/usage?group_by=metadata.secret',
  ),
  createKey: nothing,
  listKeys: get(() => '/v1/keys'),
  listDeliveries: get(({ ended }) => `/v1/tasks/${ended}/deliveries`),
  testWebhook: nothing,
  getWebhookSecret: get(() => '/v1/webhooks/secret'),
  listNotices: get(() => '/v1/notices'),
  listNoticeTargets: get(() => '/v1/notices/targets'),
  getNoticeSettings: get(() => '/v1/notices/settings'),
  listModels: nothing,
  getModel: nothing,
  // Probes that change something come last, so that the key that sees all finds everything unchanged before.
  createNoticeTarget: send(
    () => '/v1/notices/targets',
    () => ({ medium: 'webhook', address: 'https://example.com/notices', kinds: ['low_balance'] }),
  ),
  updateNoticeTarget: send(
    () => '/v1/notices/targets/target_0',
    () => ({ kinds: ['low_balance'] }),
    'PATCH',
  ),
  testNoticeTarget: send(
    () => '/v1/notices/targets/target_0/test',
    () => ({}),
  ),
  removeNoticeTarget: () => [{ method: 'DELETE', path: '/v1/notices/targets/target_0' }],
  updateNoticeSettings: send(
    () => '/v1/notices/settings',
    () => ({ low_balance: 20 }),
    'PATCH',
  ),
  rotateWebhookSecret: send(
    () => '/v1/webhooks/secret/rotate',
    () => ({}),
  ),
  redeliverMany: send(
    () => '/v1/webhooks/redeliver',
    ({ ended }) => ({ task_ids: [ended] }),
  ),
  redeliver: ({ ended }) => [{ method: 'POST', path: `/v1/tasks/${ended}/redeliver` }],
  cancelTask: ({ open }) => [{ method: 'POST', path: `/v1/tasks/${open}/cancel` }],
  deleteFile: ({ file }) => [{ method: 'DELETE', path: `/v1/files/${file}` }],
  updateKey: send(
    ({ keyId }) => `/v1/keys/${keyId}`,
    () => ({ name: 'mine' }),
    'PATCH',
  ),
  revokeKey: ({ keyId }) => [{ method: 'DELETE', path: `/v1/keys/${keyId}` }],
};

/** The operations by which a key finds or names what was made, each with its scope. */
export const PROBED = Object.entries(PROBES).flatMap(([entry, probesOf]) => {
  const operation = OPERATIONS.find((each) => each.entry === entry);
  if (operation?.auth !== 'key') throw new Error(`no route asks for a key as ${entry}`);
  const { scope, manages = false } = operation;
  return probesOf === nothing ? [] : [{ entry, scope, manages, probesOf }];
});
