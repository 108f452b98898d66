import { Router } from 'express';
import type { SpeechStudio } from '../media/speech/speech-studio';
import { hangUpSignal } from '../streaming';
import type { OpenCalls } from '../vendor-call/open-calls';
import { readWait, wholeNumber } from './wait';

/** Work that goes on right now. */
export interface OpenWork {
  calls: OpenCalls;
  speech: SpeechStudio;
  /** Connections of all callers, idle ones and the one who asks included. */
  connections(): number;
}

/**
 * `GET /?atMost=n&timeoutMs=`: the calls being answered and the readings being made, once there are n or fewer of each, or
 * when the time is over.
 */
export function openRoutes({ calls, speech, connections }: OpenWork, closing: AbortSignal): Router {
  const router = Router();
  router.get('/', async (request, response) => {
    const atMost = wholeNumber(request.query['atMost']) ?? Number.POSITIVE_INFINITY;
    const readings = () => speech.work().running + speech.work().waiting;
    const few = () => calls.all().length <= atMost && readings() <= atMost;
    await calls.changes.until(few, readWait(request).timeoutMs, hangUpSignal(response, closing));
    response.json({ calls: calls.all(), readings: speech.work(), connections: connections() });
  });
  return router;
}
