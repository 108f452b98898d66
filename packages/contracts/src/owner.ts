/** The account that work is for; a task or a caller has it, for example. Resources that all work shares are divided by it. */
export interface Owner {
  accountId: string;
  /** Work of a test key, or for an estimate: it costs its account nothing, so it yields to work that is paid for. */
  isTest?: boolean | undefined;
}

/** Work of the service itself, all of which counts together. */
export const NOBODY: Owner = { accountId: '' };

/** An account's class: its share of the turns in which tasks that wait in their rows are enqueued. */
export const PRIORITY_CLASSES = ['low', 'normal', 'high'] as const;
export type PriorityClass = (typeof PRIORITY_CLASSES)[number];

/** How results are marked as made by a model: not, by metadata, or by signed metadata, too. */
export const MARKS = ['off', 'metadata', 'signed'] as const;
/** The fate of a result that cannot be marked so. */
export const UNMARKED = ['deliver', 'fail'] as const;

export interface MarkPolicy {
  marks: (typeof MARKS)[number];
  unmarked: (typeof UNMARKED)[number];
}

/** An account's own choices; null: as the deployment. */
export type OwnMarkPolicy = { [Field in keyof MarkPolicy]: MarkPolicy[Field] | null };
