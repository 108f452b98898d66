import type { Response } from 'express';
import type { Api } from '../../../api';
import { discloseModel } from '../../../http/answers/ai-disclosure';
import { breakSilence, hasBegun } from '../../../http/answers/event-comments';
import { watchCaller } from '../../../http/caller-watch';
import type { Call } from '../../../http/exchange';
import type { CallerWatch } from '../../../use-cases/caller-connection';
import type { TextWriter } from '../../../use-cases/text/text-writer';
import type { SendAnswer } from './send-answer';

interface Sending {
  send: SendAnswer;
  /** The answer is events, and its client skips the comments between them: Google's clients break at one. */
  takesComments: boolean;
}

/** The response as the place that a text goes to. */
export function openTextWriter(
  call: Call,
  { send, takesComments }: Sending,
  { shutdown, lingering, silenceMs }: Pick<Api, 'shutdown' | 'lingering' | 'silenceMs'>,
): TextWriter {
  const { response, caller } = call;
  let watch: CallerWatch | undefined;
  return {
    get begun() {
      return hasBegun(call);
    },
    nameTask(taskId, model) {
      response.setHeader('X-Task-Id', taskId);
      if (model !== undefined) discloseModel(response, model);
    },
    watch({ idleMs, totalMs }) {
      response.setTimeout(idleMs);
      if (takesComments) breakSilence(call, silenceMs);
      watch = watchCaller(call, totalMs, { shutdown, takeSlot: () => lingering.tryTake({ owner: caller }) });
      return watch;
    },
    stop: (why) => watch?.stop(why),
    send: (answer, meter) => send(answer, { exchange: call, meter }),
    flushed: () => flushed(response),
  };
}

/** Resolves once the billed bytes have been sent to the caller, before the connection is destroyed. */
function flushed(response: Response): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) return resolve();
    response.once('close', resolve);
    response.write('', () => resolve());
  });
}
