import { FAMILY_SUBMISSIONS, type ServedOperation } from '@mediagate/api-contract';
import type { Callbacks } from '@mediagate/callbacks';
import type { MediaStore } from '@mediagate/media';
import type { Handlers, KeyHandler } from './http/handler';
import { createSpeech, type SpeechRouteDeps } from './routes/audio/create-speech';
import { type BalanceDeps, createAccountBalance, createKeyBalance } from './routes/balance/balance';
import { createGetInvoice, type InvoiceDeps } from './routes/balance/get-invoice';
import { createGetUsage, type UsageDeps } from './routes/balance/get-usage';
import { createListLedger, type LedgerDeps } from './routes/balance/list-ledger';
import { createGeneration } from './routes/create-generation';
import { createEstimate } from './routes/estimates/create-estimate';
import { type CreateFileDeps, createCreateFile } from './routes/files/create-file';
import { createAnnounceFile, createCompleteFile, type DirectUploadDeps } from './routes/files/direct-upload';
import {
  createDeleteFile,
  createGetFileRecord,
  createListFiles,
  type FileRecordDeps,
} from './routes/files/file-records';
import { createServeFile, type FileDeps } from './routes/files/serve-file';
import { createImageEdit, type ImageEditDeps } from './routes/images/create-edit';
import { createGetImgtoolTask, type ImgtoolReaderDeps } from './routes/imgtool/get-task';
import { createCreateKey, createListKeys, createRevokeKey, createUpdateKey, type KeyDeps } from './routes/keys/keys';
import { createFetchTask, createListTasks as createLegacyListTasks } from './routes/legacy/fetch-task';
import { createLegacySubmissions, type LegacySubmitDeps } from './routes/legacy/submit';
import { createGetModel, createListModels } from './routes/models/models';
import { createGetMusicTask } from './routes/music/get-task';
import { TO_HOLDERS } from './routes/notices/audience';
import { listNotices } from './routes/notices/list-notices';
import { getNoticeSettings, updateNoticeSettings } from './routes/notices/settings';
import {
  createNoticeTarget,
  listNoticeTargets,
  removeNoticeTarget,
  testNoticeTarget,
  updateNoticeTarget,
} from './routes/notices/targets';
import { type ChatDeps, createChat } from './routes/openai/chat/create-chat';
import { readSpeechOptions } from './routes/openai/client-options';
import { createOpenAiEdit, createOpenAiImage, type OpenAiImageDeps } from './routes/openai/create-image';
import { createGetOpenAiModel, createListOpenAiModels } from './routes/openai/models';
import { createGetDocument, type DocumentDeps } from './routes/reference/get-document';
import { createReference } from './routes/reference/reference-page';
import { type CancelTaskDeps, createCancelTask } from './routes/tasks/cancel-task';
import { createListDeliveries, createRedeliver } from './routes/tasks/deliveries';
import { createGetLineage, type LineageDeps } from './routes/tasks/get-lineage';
import { createGetTask, type GetTaskDeps } from './routes/tasks/get-task';
import { createGetTaskBatch } from './routes/tasks/get-task-batch';
import type { IncludeDeps } from './routes/tasks/include';
import { createListTasks, type TaskListDeps } from './routes/tasks/list-tasks';
import { createTaskEvents, type TaskEventsDeps } from './routes/tasks/task-events';
import { type CallTextDeps, createCallText } from './routes/text/call-text';
import { createGetTextModel, createListTextModels } from './routes/text/list-models';
import { createUploadImage, type UploadDeps } from './routes/uploads/upload-image';
import { createReceiveVendorCallback, type VendorCallbackDeps } from './routes/upstreams/receive-callback';
import { createRedeliverOwn } from './routes/webhooks/redeliver-many';
import { createGetWebhookSecret, createRotateWebhookSecret } from './routes/webhooks/secret';
import { createTestWebhook } from './routes/webhooks/test-webhook';
import type { TaskWatch } from './use-cases/task-watch';

/** The parts that routes of callers are made with. */
export interface HandlerDeps
  extends BalanceDeps,
    CallTextDeps,
    ChatDeps,
    CreateFileDeps,
    CancelTaskDeps,
    DirectUploadDeps,
    DocumentDeps,
    FileDeps,
    FileRecordDeps,
    GetTaskDeps,
    ImageEditDeps,
    InvoiceDeps,
    ImgtoolReaderDeps,
    IncludeDeps,
    KeyDeps,
    LedgerDeps,
    LegacySubmitDeps,
    LineageDeps,
    OpenAiImageDeps,
    SpeechRouteDeps,
    TaskListDeps,
    TaskEventsDeps,
    UploadDeps,
    UsageDeps,
    VendorCallbackDeps {
  callbacks: Callbacks;
  mediaStore: MediaStore;
  taskWatch: TaskWatch;
  operations: readonly ServedOperation[];
}

export function createHandlers(deps: HandlerDeps): Handlers {
  const handlers: Handlers = {
    ...taskHandlers(deps),
    ...generationHandlers(deps),
    editImage: createImageEdit(deps),
    getImgtoolTask: createGetImgtoolTask(deps),
    createSpeech: createSpeech(deps),
    ...textHandlers(deps),
    ...openAiHandlers(deps),
    ...createLegacySubmissions(deps),
    legacyFetchTask: createFetchTask(deps),
    legacyListTasks: createLegacyListTasks(deps),
    ...fileHandlers(deps),
    ...balanceHandlers(deps),
    ...keyHandlers(deps),
    ...callbackHandlers(deps),
    ...NOTICE_HANDLERS,
    receiveVendorCallback: createReceiveVendorCallback(deps),
    listModels: createListModels(deps),
    getModel: createGetModel(deps),
    getDocument: createGetDocument(deps),
    ...createReference(),
    createEstimate: createEstimate(deps, () => handlers),
  };
  return handlers;
}

function generationHandlers(deps: HandlerDeps) {
  const generate = createGeneration(deps);
  const handlers = FAMILY_SUBMISSIONS.map((id) => [id, generate]);
  return Object.fromEntries(handlers) as Record<(typeof FAMILY_SUBMISSIONS)[number], KeyHandler>;
}

function taskHandlers(deps: HandlerDeps) {
  return {
    listTasks: createListTasks(deps),
    getTasks: createGetTaskBatch(deps),
    getTask: createGetTask(deps),
    followTask: createTaskEvents(deps),
    getLineage: createGetLineage(deps),
    cancelTask: createCancelTask(deps),
    getMusicTask: createGetMusicTask(deps),
  } satisfies Partial<Handlers>;
}

function textHandlers(deps: HandlerDeps) {
  const plainText = createCallText(deps, { method: 'generateContent', wrapped: false });
  const plainPieces = createCallText(deps, { method: 'streamGenerateContent', wrapped: false });
  const plainCount = createCallText(deps, { method: 'countTokens', wrapped: false });
  const listTextModels = createListTextModels(deps);
  const getTextModel = createGetTextModel(deps);
  return {
    generateText: createCallText(deps, { method: 'generateContent', wrapped: true }),
    streamText: createCallText(deps, { method: 'streamGenerateContent', wrapped: true }),
    countTokens: createCallText(deps, { method: 'countTokens', wrapped: true }),
    generatePlainText: plainText,
    streamPlainText: plainPieces,
    countPlainTokens: plainCount,
    listTextModels,
    getTextModel,
    generatePlainTextV1: plainText,
    streamPlainTextV1: plainPieces,
    countPlainTokensV1: plainCount,
    listTextModelsV1: listTextModels,
    getTextModelV1: getTextModel,
  } satisfies Partial<Handlers>;
}

function openAiHandlers(deps: HandlerDeps) {
  const listOpenAiModels = createListOpenAiModels(deps);
  const getOpenAiModel = createGetOpenAiModel(deps);
  return {
    createOpenAiImage: createOpenAiImage(deps),
    editOpenAiImage: createOpenAiEdit(deps),
    createChat: createChat(deps),
    createOpenAiSpeech: createSpeech(deps, readSpeechOptions),
    listOpenAiModels,
    getOpenAiModel,
    listModelsV1: listOpenAiModels,
    getModelV1: getOpenAiModel,
  } satisfies Partial<Handlers>;
}

function fileHandlers(deps: HandlerDeps) {
  return {
    uploadImage: createUploadImage(deps),
    createFile: createCreateFile(deps),
    listFiles: createListFiles(deps),
    announceFile: createAnnounceFile(deps),
    completeFile: createCompleteFile(deps),
    getFile: createServeFile(deps),
    getFileRecord: createGetFileRecord(deps),
    deleteFile: createDeleteFile(deps),
  } satisfies Partial<Handlers>;
}

function balanceHandlers(deps: HandlerDeps) {
  const getKeyBalance = createKeyBalance(deps);
  const getAccountBalance = createAccountBalance(deps);
  return {
    getKeyBalance,
    getKeyBalanceTwin: getKeyBalance,
    getAccountBalance,
    getAccountBalanceTwin: getAccountBalance,
    listLedger: createListLedger(deps),
    getUsage: createGetUsage(deps),
    getInvoice: createGetInvoice(deps),
  } satisfies Partial<Handlers>;
}

function keyHandlers(deps: HandlerDeps) {
  return {
    createKey: createCreateKey(deps),
    listKeys: createListKeys(deps),
    updateKey: createUpdateKey(deps),
    revokeKey: createRevokeKey(deps),
  } satisfies Partial<Handlers>;
}

const NOTICE_HANDLERS = {
  listNotices: listNotices(TO_HOLDERS),
  listNoticeTargets: listNoticeTargets(TO_HOLDERS),
  createNoticeTarget: createNoticeTarget(TO_HOLDERS),
  updateNoticeTarget: updateNoticeTarget(TO_HOLDERS),
  removeNoticeTarget: removeNoticeTarget(TO_HOLDERS),
  testNoticeTarget: testNoticeTarget(TO_HOLDERS),
  getNoticeSettings: getNoticeSettings(TO_HOLDERS),
  updateNoticeSettings: updateNoticeSettings(TO_HOLDERS),
} satisfies Partial<Handlers>;

function callbackHandlers(deps: HandlerDeps) {
  return {
    listDeliveries: createListDeliveries(deps),
    redeliver: createRedeliver(deps),
    redeliverMany: createRedeliverOwn(deps.callbacks),
    testWebhook: createTestWebhook(deps.callbacks),
    getWebhookSecret: createGetWebhookSecret(deps.callbacks),
    rotateWebhookSecret: createRotateWebhookSecret(deps.callbacks),
  } satisfies Partial<Handlers>;
}
