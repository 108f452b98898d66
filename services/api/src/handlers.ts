import { FAMILY_SUBMISSIONS, type ServedOperation } from '@mediagate/api-contract';
import type { Handlers, KeyHandler } from './http/handler';
import { createSpeech } from './routes/public/audio/create-speech';
import { getAccountBalanceHandler, getKeyBalanceHandler } from './routes/public/balance/balance';
import { getInvoiceHandler } from './routes/public/balance/get-invoice';
import { getUsageHandler } from './routes/public/balance/get-usage';
import { listLedgerHandler } from './routes/public/balance/list-ledger';
import { generationHandler } from './routes/public/create-generation';
import { createEstimate } from './routes/public/estimates/create-estimate';
import { createFileHandler } from './routes/public/files/create-file';
import { announceFileHandler, completeFileHandler } from './routes/public/files/direct-upload';
import { deleteFileHandler, getFileRecordHandler, listFilesHandler } from './routes/public/files/file-records';
import { getFileHandler } from './routes/public/files/serve-file';
import { editImageHandler } from './routes/public/images/create-edit';
import { getImgtoolTaskHandler } from './routes/public/imgtool/get-task';
import { createKeyHandler, listKeysHandler, revokeKeyHandler, updateKeyHandler } from './routes/public/keys/keys';
import { legacyFetchTaskHandler, legacyListTasksHandler } from './routes/public/legacy/fetch-task';
import { createLegacySubmissions } from './routes/public/legacy/submit';
import { getModelHandler, listModelsHandler } from './routes/public/models/models';
import { getMusicTaskHandler } from './routes/public/music/get-task';
import * as notices from './routes/public/notices/notices';
import { CHAT } from './routes/public/openai/chat/chat-dialect';
import { readSpeechOptions } from './routes/public/openai/client-options';
import { createOpenAiImageHandler, editOpenAiImageHandler } from './routes/public/openai/create-image';
import { createText } from './routes/public/openai/create-text';
import { getOpenAiModelHandler, listOpenAiModelsHandler } from './routes/public/openai/models';
import { RESPONSES } from './routes/public/openai/responses/response-dialect';
import { createGetDocument } from './routes/public/reference/get-document';
import { createReference } from './routes/public/reference/reference-page';
import { cancelTaskHandler } from './routes/public/tasks/cancel-task';
import { listDeliveriesHandler, redeliverHandler } from './routes/public/tasks/deliveries';
import { getLineageHandler } from './routes/public/tasks/get-lineage';
import { getTaskHandler } from './routes/public/tasks/get-task';
import { getTasksHandler } from './routes/public/tasks/get-task-batch';
import { listTasksHandler } from './routes/public/tasks/list-tasks';
import { followTaskHandler } from './routes/public/tasks/task-events';
import { createCallText } from './routes/public/text/call-text';
import { getTextModelHandler, listTextModelsHandler } from './routes/public/text/list-models';
import { uploadImageHandler } from './routes/public/uploads/upload-image';
import { receiveVendorCallbackHandler } from './routes/public/upstreams/receive-callback';
import { redeliverManyHandler } from './routes/public/webhooks/redeliver-many';
import { getWebhookSecretHandler, rotateWebhookSecretHandler } from './routes/public/webhooks/secret';
import { testWebhookHandler } from './routes/public/webhooks/test-webhook';

/** The handler of each operation of callers. @param operations those that the application serves. */
export function createHandlers(operations: readonly ServedOperation[]): Handlers {
  const handlers: Handlers = {
    ...GENERATIONS,
    ...createLegacySubmissions(),
    ...TASKS,
    ...TEXTS,
    ...OPENAI,
    ...FILES,
    ...BALANCES,
    ...KEYS,
    ...CALLBACKS,
    ...notices,
    receiveVendorCallback: receiveVendorCallbackHandler,
    listModels: listModelsHandler,
    getModel: getModelHandler,
    getDocument: createGetDocument('callers'),
    getOperatorsDocument: createGetDocument('operators'),
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
  editImage: editImageHandler,
  createSpeech: createSpeech(),
};

const TASKS = {
  listTasks: listTasksHandler,
  getTasks: getTasksHandler,
  getTask: getTaskHandler,
  followTask: followTaskHandler,
  getLineage: getLineageHandler,
  cancelTask: cancelTaskHandler,
  getMusicTask: getMusicTaskHandler,
  getImgtoolTask: getImgtoolTaskHandler,
  legacyFetchTask: legacyFetchTaskHandler,
  legacyListTasks: legacyListTasksHandler,
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
  listTextModels: listTextModelsHandler,
  getTextModel: getTextModelHandler,
  generatePlainTextV1: plainText,
  streamPlainTextV1: plainPieces,
  countPlainTokensV1: plainCount,
  listTextModelsV1: listTextModelsHandler,
  getTextModelV1: getTextModelHandler,
};

const OPENAI = {
  createOpenAiImage: createOpenAiImageHandler,
  editOpenAiImage: editOpenAiImageHandler,
  createChat: createText(CHAT),
  createResponse: createText(RESPONSES),
  createOpenAiSpeech: createSpeech(readSpeechOptions),
  listOpenAiModels: listOpenAiModelsHandler,
  getOpenAiModel: getOpenAiModelHandler,
  listModelsV1: listOpenAiModelsHandler,
  getModelV1: getOpenAiModelHandler,
};

const FILES = {
  uploadImage: uploadImageHandler,
  createFile: createFileHandler,
  listFiles: listFilesHandler,
  announceFile: announceFileHandler,
  completeFile: completeFileHandler,
  getFile: getFileHandler,
  getFileRecord: getFileRecordHandler,
  deleteFile: deleteFileHandler,
};

const BALANCES = {
  getKeyBalance: getKeyBalanceHandler,
  getKeyBalanceTwin: getKeyBalanceHandler,
  getAccountBalance: getAccountBalanceHandler,
  getAccountBalanceTwin: getAccountBalanceHandler,
  listLedger: listLedgerHandler,
  getUsage: getUsageHandler,
  getInvoice: getInvoiceHandler,
};

const KEYS = {
  createKey: createKeyHandler,
  listKeys: listKeysHandler,
  updateKey: updateKeyHandler,
  revokeKey: revokeKeyHandler,
};

const CALLBACKS = {
  listDeliveries: listDeliveriesHandler,
  redeliver: redeliverHandler,
  redeliverMany: redeliverManyHandler,
  testWebhook: testWebhookHandler,
  getWebhookSecret: getWebhookSecretHandler,
  rotateWebhookSecret: rotateWebhookSecretHandler,
};
