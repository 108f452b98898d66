import { type JsonObject, message, type Refused, type StageDone, type Started } from '@mediagate/contracts';
import type { CallContext, NextStage } from '../contract';
import { accepted } from '../job';
import { identifier } from '../json-guards';
import { refused, unreadable } from '../vendor-call';
import { type LaterAction, pressFor } from './buttons';
import type { ProxyCall } from './call';
import { buttonsOf } from './result';
import { type Speed, submitPath } from './speed';
import type { ProxyJob } from './window';

type Pressing = JsonObject & { taskId: string; customId: string; speed: Speed; action: LaterAction };

/** The image is there alone: the button under it is to be pressed, which is what costs. */
export function imageMade(
  task: JsonObject,
  { taskId, speed, later }: ProxyJob & { later: LaterAction },
): StageDone | Refused {
  const press = pressFor(
    { action: later, speed },
    { taskId, channelId: '', externalId: taskId, buttons: buttonsOf(task) },
  );
  if (press === undefined) {
    return refused({
      code: 'bad_request',
      message: message('operation_unavailable'),
      detail: `no button for ${later} under the single image`,
    });
  }
  const next: Pressing = { taskId, customId: press.customId, speed, action: later };
  return { kind: 'stage_done', next };
}

/** Sent once: whether the server took it is not known when its answer is lost, as with any start. */
export async function startNext(
  call: ProxyCall,
  { attemptId, next }: NextStage,
  context: CallContext,
): Promise<Started | Refused> {
  const { taskId: upscaled, customId, speed, action } = next as Pressing;
  const path = submitPath('action', speed, context.endpoint.options);
  const reply = await call.submit({ path, body: { taskId: upscaled, customId, state: attemptId } }, context);
  if (!reply.ok) return refused(reply.fault);
  const taskId = identifier(reply.body['result']);
  if (taskId === undefined) return refused(unreadable('no task id'));
  const job: ProxyJob = { taskId, action, speed, since: Date.now(), confirm: {}, upscaled };
  return accepted(taskId, job, context.endpoint);
}
