import type { CheckOutcome, JsonObject, Refused } from '@mediagate/contracts';
import type { CallContext } from '../contract';
import { type Job, pending } from '../job';
import { object, present, text } from '../json-guards';
import { refused } from '../vendor-call';
import type { LaterAction } from './buttons';
import type { ProxyCall } from './call';
import type { ResultOptions } from './result';
import { type Speed, submitPath } from './speed';
import type { Confirmation, Submission } from './submission';

/** `confirm`: a window may be open that is not answered yet; `later`: what is done to the image once it is there;
 * `shared`: another attempt made the task. */
export type ProxyJob = Job &
  ResultOptions & { taskId: string; speed: Speed; confirm?: Confirmation; later?: LaterAction; shared?: true };

/** A window opens with the words of its image; where the caller has none, these are confirmed. */
export async function confirmWindow(
  call: ProxyCall,
  { job, task }: { job: ProxyJob; task: JsonObject },
  context: CallContext,
): Promise<CheckOutcome> {
  const { confirm: confirmation, ...confirmed } = job;
  const { taskId, speed } = job;
  const { prompt } = confirmation ?? {};
  const reply = await call.submit(
    {
      path: submitPath('modal', speed, context.endpoint.options),
      body: present<JsonObject>({ taskId, prompt: prompt ?? wordsShownBy(task) }),
      ...(prompt === undefined ? {} : { prompt }),
    },
    context,
  );
  if (!reply.ok) return refused(reply.fault);
  return { operation: confirmed, ...pending('queued', confirmed, context.endpoint) };
}

/**
 * A window of the caller's own is confirmed with the words that it shows where the caller has none. Whatever comes of the
 * question, nothing has begun.
 */
export async function withWords(
  call: ProxyCall,
  submission: Submission,
  context: CallContext,
): Promise<Submission | Refused> {
  const { resource, body, taskId } = submission;
  if (resource !== 'modal' || taskId === undefined || body['prompt'] !== undefined) return submission;
  const reply = await call.fetch(taskId, context);
  if (!reply.ok) {
    const { fault } = reply;
    return refused(fault.code === 'outcome_unknown' ? { ...fault, code: 'not_accepted' } : fault);
  }
  return { ...submission, body: present<JsonObject>({ ...body, prompt: wordsShownBy(reply.body) }) };
}

function wordsShownBy({ properties, prompt }: JsonObject): string | undefined {
  return text(object(properties)['finalPrompt']) ?? text(prompt);
}
