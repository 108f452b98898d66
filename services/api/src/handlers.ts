import { FAMILY_SUBMISSIONS, type ServedOperation } from '@mediagate/api-contract';
import type { Handlers, KeyHandler } from './http/route';
import { createSpeech } from './routes/public/audio/create-speech';
import * as balances from './routes/public/balance/balance';
import * as invoices from './routes/public/balance/get-invoice';
import * as usage from './routes/public/balance/get-usage';
import * as ledger from './routes/public/balance/list-ledger';
import { generationHandler } from './routes/public/create-generation';
import { createEstimate } from './routes/public/estimates/create-estimate';
import * as newFiles from './routes/public/files/create-file';
import * as directUploads from './routes/public/files/direct-upload';
import { deleteFile, getFileRecord, listFiles } from './routes/public/files/file-records';
import * as servedFiles from './routes/public/files/serve-file';
import { editImage } from './routes/public/images/create-edit';
import * as imgtoolTasks from './routes/public/imgtool/get-task';
import * as keys from './routes/public/keys/keys';
import * as legacyTasks from './routes/public/legacy/fetch-task';
import { createLegacySubmissions } from './routes/public/legacy/submit';
import * as models from './routes/public/models/models';
import * as musicTasks from './routes/public/music/get-task';
import * as notices from './routes/public/notices/notices';
import { CHAT } from './routes/public/openai/chat/chat-dialect';
import { readSpeechOptions } from './routes/public/openai/client-options';
import * as openAiImages from './routes/public/openai/create-image';
import { createText } from './routes/public/openai/create-text';
import * as openAiModels from './routes/public/openai/models';
import { RESPONSES } from './routes/public/openai/responses/response-dialect';
import { verifyFile } from './routes/public/provenance/verify-file';
import { createGetDocument } from './routes/public/reference/get-document';
import { createReference } from './routes/public/reference/reference-page';
import * as cancellation from './routes/public/tasks/cancel-task';
import * as deliveries from './routes/public/tasks/deliveries';
import * as lineage from './routes/public/tasks/get-lineage';
import { getTask } from './routes/public/tasks/get-task';
import * as taskBatches from './routes/public/tasks/get-task-batch';
import * as taskLists from './routes/public/tasks/list-tasks';
import * as taskEvents from './routes/public/tasks/task-events';
import { createCallText } from './routes/public/text/call-text';
import * as textModels from './routes/public/text/list-models';
import * as uploads from './routes/public/uploads/upload-image';
import * as vendorCallbacks from './routes/public/upstreams/receive-callback';
import * as redelivery from './routes/public/webhooks/redeliver-many';
import * as webhookSecrets from './routes/public/webhooks/secret';
import * as webhookTests from './routes/public/webhooks/test-webhook';

/**
 * The handler of each operation of callers: a file of routes exports them under the operations' ids.
 *
 * @param operations those that the application serves.
 */
export function createHandlers(operations: readonly ServedOperation[]): Handlers {
  const handlers: Handlers = {
    ...GENERATIONS,
    ...createLegacySubmissions(),
    ...TASKS,
    ...TEXTS,
    ...OPENAI,
    ...FILES,
    ...BALANCES,
    ...keys,
    ...CALLBACKS,
    ...notices,
    ...models,
    getDocument: createGetDocument(operations.filter(({ auth }) => auth !== 'operator')),
    getOperatorsDocument: createGetDocument(operations.filter(({ auth }) => auth === 'operator')),
    ...createReference(),
    createEstimate: createEstimate(operations, () => handlers),
  };
  return handlers;
}

const GENERATIONS = {
  ...(Object.fromEntries(FAMILY_SUBMISSIONS.map((id) => [id, generationHandler])) as Record<
    (typeof FAMILY_SUBMISSIONS)[number],
    KeyHandler
  >),
  editImage,
  createSpeech: createSpeech(),
};

const TASKS = {
  ...taskLists,
  ...taskBatches,
  getTask,
  ...taskEvents,
  ...lineage,
  ...cancellation,
  ...musicTasks,
  ...imgtoolTasks,
  ...legacyTasks,
};

const plainText = createCallText({ method: 'generateContent', wrapped: false });
const plainPieces = createCallText({ method: 'streamGenerateContent', wrapped: false });
const plainCount = createCallText({ method: 'countTokens', wrapped: false });

const TEXTS = {
  generateText: createCallText({ method: 'generateContent', wrapped: true }),
  streamText: createCallText({ method: 'streamGenerateContent', wrapped: true }),
  countTokens: createCallText({ method: 'countTokens', wrapped: true }),
  generatePlainText: plainText,
  streamPlainText: plainPieces,
  countPlainTokens: plainCount,
  ...textModels,
  generatePlainTextV1: plainText,
  streamPlainTextV1: plainPieces,
  countPlainTokensV1: plainCount,
  listTextModelsV1: textModels.listTextModels,
  getTextModelV1: textModels.getTextModel,
};

const OPENAI = {
  ...openAiImages,
  createChat: createText(CHAT),
  createResponse: createText(RESPONSES),
  createOpenAiSpeech: createSpeech(readSpeechOptions),
  ...openAiModels,
  listModelsV1: openAiModels.listOpenAiModels,
  getModelV1: openAiModels.getOpenAiModel,
};

const FILES = {
  ...uploads,
  ...newFiles,
  ...directUploads,
  ...servedFiles,
  listFiles,
  getFileRecord,
  deleteFile,
  verifyFile,
};

const BALANCES = {
  ...balances,
  getKeyBalanceTwin: balances.getKeyBalance,
  getAccountBalanceTwin: balances.getAccountBalance,
  ...ledger,
  ...usage,
  ...invoices,
};

const CALLBACKS = { ...deliveries, ...redelivery, ...webhookTests, ...webhookSecrets, ...vendorCallbacks };
