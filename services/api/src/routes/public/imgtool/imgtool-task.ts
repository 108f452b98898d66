import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import type { TaskInput, TaskRow } from '@mediagate/tasks';

/** Fields that an image-tool task has beside its record; strings and lists are empty until there is a value. */
interface ImgtoolExtras {
  action: string;
  prompt: string;
  buttons: { custom_id: string; label: string }[];
  grid_image_url: string;
  image_urls: string[];
  description: string;
  fail_reason: string;
  /** An inpaint that a modal can go on with now. */
  awaits_modal: boolean;
}

/** The input of a task that was pruned between two reads. */
export const UNKNOWN_INPUT: TaskInput = { input: {} };

export function imgtoolExtras(row: TaskRow, task: TaskInput): ImgtoolExtras {
  const { operation, status, result, error } = row;
  const { buttons, grid_image_url, image_urls, description } = result ?? {};
  return {
    action: actionOf(operation),
    // Work on an image is often submitted without a prompt, and then uses the image's own.
    prompt: text(task.input['prompt']) || finalPrompt(row),
    buttons: list(buttons).filter(isJsonObject).map(toButton),
    grid_image_url: text(grid_image_url),
    image_urls: list(image_urls).map(text),
    description: text(description),
    fail_reason: status === 'failed' ? text(error?.['message']) : '',
    awaits_modal: row.awaitsCaller === true,
  };
}

/** The action in the words of records and billing keys: `high_variation`. */
function actionOf(operation: string): string {
  return operation.slice(operation.indexOf('.') + 1).replaceAll('-', '_');
}

/** The prompt that the vendor used, with all its flags. */
export function finalPrompt({ result }: TaskRow): string {
  return text(result?.['final_prompt']);
}

/** Links of the videos of a result. */
export function videoUrls({ result }: TaskRow): string[] {
  return list(result?.['videos'])
    .filter(isJsonObject)
    .flatMap(({ url }) => list(url).map(text));
}

function toButton({ custom_id, label }: JsonObject): ImgtoolExtras['buttons'][number] {
  return { custom_id: text(custom_id), label: text(label) };
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
