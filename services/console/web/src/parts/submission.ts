/** Where tasks of a kind are submitted. */
const PATHS: Readonly<Record<string, string>> = {
  image: '/v1/images/generations',
  video: '/v1/videos/generations',
  music: '/v1/music/generations',
  imgtool: '/v1/imgtool/generations',
  audio: '/v1/audio/speech',
};

interface Submitted {
  kind: string;
  input?: { [name: string]: unknown };
  parent_task_id?: string;
}

/**
 * Where a task like this one is submitted. Undefined: its record does not say, because it works on another task's result, or
 * keeps no body.
 */
export function submissionPath({ kind, input = {}, parent_task_id }: Submitted): string | undefined {
  if (parent_task_id !== undefined || Object.keys(input).length === 0) return undefined;
  return PATHS[kind];
}

/** The body that makes such a task. */
export function submissionBody({ model, input = {} }: Submitted & { model: string }): Record<string, unknown> {
  return { model, ...input };
}
