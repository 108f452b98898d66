import { Router } from 'express';
import { badRequest, readControlBody, readWait } from '../control/body';
import { hangUpSignal } from '../streaming';
import { readBytes } from '../vendor-call/request-body';
import { compileShape } from '../vendor-call/shape';
import type { CallbackReceiver } from './callback-receiver';

const MAX_CALLBACK_BYTES = 1024 * 1024;

const checkScript = compileShape({
  type: 'array',
  maxItems: 100,
  items: { type: 'integer', minimum: 200, maximum: 599 },
});

/** `/__receiver/{token}`: a receiver of callbacks whose answers a test scripts. */
export function receiverRoutes(receiver: CallbackReceiver, closing: AbortSignal): Router {
  const router = Router();

  router.put('/:token/script', async (request, response) => {
    const script = checkScript(await readControlBody(request));
    if (!script.ok) return badRequest(response, 'a script is an array of statuses');
    receiver.setScript(request.params.token, script.value);
    response.json({ script: script.value });
  });

  router.get('/:token', async (request, response) => {
    const { token } = request.params;
    const { atLeast, timeoutMs } = readWait(request);
    const enough = () => receiver.received(token).length >= atLeast;
    await receiver.changes.until(enough, timeoutMs, hangUpSignal(response, closing));
    response.json({ requests: receiver.received(token) });
  });

  router.all('/:token/callback', async (request, response) => {
    const { token } = request.params;
    const read = await readBytes(request, MAX_CALLBACK_BYTES);
    if (read.kind === 'too-large') return void response.status(413).end();
    const { method, path, headers } = request;
    const answer = receiver.receive(token, {
      at: Date.now(),
      method,
      path,
      headers,
      body: read.bytes.toString('utf8'),
    });
    response.status(answer).json({ received: answer < 300 });
  });
  return router;
}
