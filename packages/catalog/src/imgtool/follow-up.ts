import { type ImgtoolButton, type ImgtoolParent, isJsonObject, type JsonObject, message } from '@mediagate/contracts';
import type { ParsedInput, RejectedInput, SourceTask } from '../entry';
import { reject } from '../rules';
import { versionFlag } from './version';

export interface FollowUpInput {
  task_id: string;
  index?: number;
  custom_id?: string;
}

/** The conditions that an operation sets for the task that it works on. */
interface Needs<Input> {
  /** Beginnings of the buttons that do it, `MJ::JOB::upsample::2::`; the vendor appends a hash. */
  buttons: (input: Input, parent: ImgtoolParent) => readonly string[];
  /** Servers that list no buttons at all do it by name, to an image of four. */
  knownByName?: boolean;
  /** Checks further conditions of the finished task. */
  check?: (input: Input, task: SourceTask) => RejectedInput | undefined;
}

/**
 * The parent of an operation on a finished image: `source` and `bindSource` of its model. The parent has to offer the
 * operation by a button. What the job needs of it goes into the input as `parent`, and its version as `version`.
 */
export function followsUp<Input extends FollowUpInput>({ buttons, knownByName = false, check }: Needs<Input>) {
  return {
    source: ({ task_id }: Input) => ({ field: 'task_id', taskId: task_id }),
    bindSource(input: Input, task: SourceTask): ParsedInput | RejectedInput {
      const parent = finishedParent(task);
      if ('ok' in parent) return parent;
      const rejected = check?.(input, task);
      if (rejected) return rejected;
      const byName = knownByName && input.custom_id === undefined && isGrid(task);
      const offered = parent.buttons.length === 0 ? byName : hasButton(parent, input, buttons(input, parent));
      if (!offered) return notAvailable(input);
      return bound(input, parent);
    },
  };
}

/** The finished image-tool task as the job will know it. */
export function finishedParent(task: SourceTask): ImgtoolParent | RejectedInput {
  if (task.kind !== 'imgtool') return reject('task_id', 'must_be_imgtool_task');
  if (task.status !== 'completed') return reject('task_id', 'must_be_completed_task');
  return toParent(task) ?? reject('task_id', 'operation_not_offered');
}

/** Undefined as long as no upstream has accepted the task. */
export function toParent({ id, upstream, input, result }: SourceTask): ImgtoolParent | undefined {
  if (upstream?.externalId === undefined) return undefined;
  const { version } = input;
  return {
    taskId: id,
    channelId: upstream.channelId,
    externalId: upstream.externalId,
    ...(typeof version === 'string' ? { version } : {}),
    buttons: readButtons(result?.['buttons']),
  };
}

/** The input with the parent in it, where no caller can put one, because the schema has no such field. */
export function bound(input: object, parent: ImgtoolParent): ParsedInput {
  const { version } = parent;
  const added = { parent: parent as unknown as JsonObject, ...(version === undefined ? {} : { version }) };
  return { ok: true, input: { ...(input as JsonObject), ...added }, warnings: [] };
}

/** The parent that `bound` put into the input. */
export function boundParent(input: object): { parent?: ImgtoolParent } {
  return 'parent' in input ? { parent: input.parent as ImgtoolParent } : {};
}

/**
 * The prompt for the window that the vendor opens. The window takes a version only as a flag in the prompt, so the parent's
 * version is put behind the caller's words. If the caller sends no prompt, the window keeps its own.
 */
export function boundPrompt(input: { prompt?: string }): { prompt?: string } {
  const { prompt } = input;
  const version = boundParent(input).parent?.version;
  if (prompt === undefined) return {};
  return { prompt: version === undefined ? prompt : `${prompt} ${versionFlag(version)}` };
}

/** Beginnings of a button that there is for each image of a grid, and for a single image as its first. */
export function perImage(...stems: string[]): (input: FollowUpInput) => string[] {
  return ({ index }) => stems.map((stem) => (index === undefined ? stem : `${stem}${index}::`));
}

/**
 * Beginnings of the buttons for a strong or a subtle variation: from version 8 on the one for variations takes the strength
 * beside it. Where it is under single images only, one of a grid that is named by its number is made alone first.
 */
export function variedBy(stem: string): (input: FollowUpInput, parent: ImgtoolParent) => string[] {
  return (input, { version }) => {
    const takesStrength = version === 'v8.1' ? ['MJ::JOB::variation::'] : [];
    const madeAlone = input.index === undefined ? [] : ['MJ::JOB::upsample::'];
    return perImage(stem, ...takesStrength, ...madeAlone)(input);
  };
}

function isGrid({ result }: SourceTask): boolean {
  const { grid_image_url: grid, image_urls: images } = result ?? {};
  return typeof grid === 'string' || (Array.isArray(images) && images.length > 1);
}

function hasButton(
  { buttons }: ImgtoolParent,
  { custom_id: chosen }: FollowUpInput,
  stems: readonly string[],
): boolean {
  return buttons.some(
    ({ customId }) => (chosen === undefined || customId === chosen) && stems.some((stem) => customId.startsWith(stem)),
  );
}

function notAvailable({ custom_id: chosen }: FollowUpInput): RejectedInput {
  const field = chosen === undefined ? 'task_id' : 'custom_id';
  return reject(field, 'about_field', { problem: message('operation_not_offered') });
}

function readButtons(buttons: unknown): ImgtoolButton[] {
  if (!Array.isArray(buttons)) return [];
  return buttons.filter(isJsonObject).flatMap(({ custom_id: customId, label }) => {
    if (typeof customId !== 'string') return [];
    return [{ customId, label: typeof label === 'string' ? label : '' }];
  });
}
