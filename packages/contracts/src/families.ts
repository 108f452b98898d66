/** Families whose models are called by a worker service, which has the family's name. */
export const WORKER_FAMILIES = ['image', 'video', 'music', 'imgtool', 'tts'] as const;

/** A family is a group of models with one queue and one key permission. Vendors of text are called by the API itself. */
export const FAMILIES = [...WORKER_FAMILIES, 'text'] as const;
export type Family = (typeof FAMILIES)[number];

/** What a task record calls its outcome; `tts` tasks read as `audio`. */
export const TASK_KINDS = ['image', 'video', 'audio', 'music', 'imgtool', 'text'] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

export function isFamily(value: unknown): value is Family {
  return (FAMILIES as readonly unknown[]).includes(value);
}
