import type { components } from './generated/api.ts';

type Schemas = components['schemas'];
type Data<Id extends keyof Schemas['Answers']> = Schemas['Answers'][Id] extends { data: infer D } ? D : never;

/** Where tasks are submitted: `/v1/images/generations`. */
export type SubmissionPath = keyof Schemas['Submissions'];
/** The body of a submission. Edits of images take a form, too. */
export type SubmissionBody<Path extends SubmissionPath> =
  | Schemas['Submissions'][Path]
  | (Path extends '/v1/images/edits' ? FormData : never);

/** The outcome of a submission. */
export interface Submission {
  taskId: string;
  /** Each warning says what was ignored or changed. */
  warnings: readonly string[];
  /** The task is that of an earlier request with the same key. */
  replayed: boolean;
  /** The ended task, where `waitSeconds` were enough. */
  task?: EndedTask;
}

export type TaskRecord = Schemas['TaskRecord'];
export type ShownTask = Data<'getTask'>;
/** One of several tasks that were asked for at once; it may not be there. */
export type FoundTask = Data<'getTasks'>[number];
/** The tasks around one. */
export type Lineage = Data<'getLineage'>;
export type CancelledTask = Data<'cancelTask'>;
/** A task that never changes again. */
export type EndedTask =
  | (TaskRecord & { status: 'completed' })
  | (TaskRecord & { status: 'failed'; error: NonNullable<TaskRecord['error']> });

export type Estimate = Data<'createEstimate'>;
export type Delivery = Data<'listDeliveries'>[number];
/** Chooses the callbacks that are sent again. */
export type RedeliveryFilter = Schemas['Bodies']['redeliverMany'];
export type Redelivered = Data<'redeliverMany'>;
export type WebhookSecret = Data<'getWebhookSecret'>;
export type WebhookTest = Data<'testWebhook'>;
export type Balance = Schemas['Answers']['getKeyBalance'];
export type LedgerEntry = Schemas['LedgerEntry'];
export type Invoice = Schemas['Invoice'];
export type Usage = Omit<Schemas['Answers']['getUsage'], 'code'>;

export type ApiKey = Schemas['ApiKey'];
export type NewKey = Schemas['Bodies']['createKey'];

export type Notice = Schemas['Notice'];
export type NoticeTarget = Schemas['NoticeTarget'];
export type NoticeTargetChanges = Schemas['Bodies']['updateNoticeTarget'];
export type NewNoticeTarget = Schemas['Bodies']['createNoticeTarget'];
export type NoticeSettings = Schemas['NoticeSettings'];
export type NoticeSettingsChange = Schemas['Bodies']['updateNoticeSettings'];

export type FileRecord = Schemas['FileRecord'];
export type FileOrigin = Schemas['FileOrigin'];
export type FileLink = Data<'announceFile'>;

export type Model = Schemas['Model'];
/** A model with the schema of its body. */
export type DescribedModel = Schemas['DescribedModel'];

type Queries = Schemas['Queries'];
export type ReadOptions = Queries['getTask'];
export type TaskFilter = Omit<Queries['listTasks'], 'cursor' | 'metadata.<name>'> & {
  /** Tasks whose metadata has these texts under these names. */
  metadata?: Readonly<Record<string, string>>;
};
export type LedgerFilter = Omit<Queries['listLedger'], 'cursor'>;
export type KeyFilter = Omit<Queries['listKeys'], 'cursor'>;
export type NoticeFilter = Omit<Queries['listNotices'], 'cursor'>;
export type FileFilter = Omit<Queries['listFiles'], 'cursor'>;
export type InvoiceQuery = Queries['getInvoice'];
export type UsageQuery = Queries['getUsage'];
