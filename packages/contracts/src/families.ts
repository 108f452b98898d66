/** A family is a group of models with one queue, one worker service and one key permission. */
export const FAMILIES = ['image', 'video', 'music', 'imgtool', 'tts', 'text'] as const;
export type Family = (typeof FAMILIES)[number];

/** What a task record calls its outcome; `tts` tasks read as `audio`. */
export const TASK_KINDS = ['image', 'video', 'audio', 'music', 'imgtool', 'text'] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

export function isFamily(value: unknown): value is Family {
  return (FAMILIES as readonly unknown[]).includes(value);
}
