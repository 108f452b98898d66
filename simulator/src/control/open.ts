import { Router } from 'express';
import { hangUpSignal } from '../streaming';
import type { OpenCalls } from '../vendor-call/open-calls';
import { readWait, wholeNumber } from './wait';

/** `GET /?atMost=n&timeoutMs=`: the calls being answered, once there are n or fewer, or when the time is over. */
export function openRoutes(calls: OpenCalls, closing: AbortSignal): Router {
  const router = Router();
  router.get('/', async (request, response) => {
    const atMost = wholeNumber(request.query['atMost']) ?? Number.POSITIVE_INFINITY;
    const few = () => calls.all().length <= atMost;
    await calls.changes.until(few, readWait(request).timeoutMs, hangUpSignal(response, closing));
    response.json({ calls: calls.all() });
  });
  return router;
}
