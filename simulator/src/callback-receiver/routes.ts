import { type Request, type Response, Router } from 'express';
import { badRequest, readControlBody } from '../control/body';
import { readWait } from '../control/wait';
import { fired, hangUpSignal, pour } from '../streaming';
import { readBytes } from '../vendor-call/request-body';
import { compileShape } from '../vendor-call/shape';
import type { CallbackReceiver, ReceiverAnswer } from './callback-receiver';

const MAX_CALLBACK_BYTES = 1024 * 1024;
const ENDLESS_BYTES = 256 * 1024 * 1024;

const checkScript = compileShape<ReceiverAnswer[]>({
  type: 'array',
  maxItems: 100,
  items: {
    anyOf: [{ type: 'integer', minimum: 200, maximum: 599 }, { enum: ['hang', 'redirect', 'endless', 'reset'] }],
  },
});

/** `/__receiver/{token}`: a receiver of callbacks whose answers a test scripts. */
export function receiverRoutes(receiver: CallbackReceiver, closing: AbortSignal): Router {
  const router = Router();

  router.put('/:token/script', async (request, response) => {
    const script = checkScript(await readControlBody(request));
    if (!script.ok)
      return badRequest(response, "a script is an array of statuses, 'hang', 'redirect', 'endless' and 'reset'");
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

  const receive = async (request: Request, response: Response) => {
    const token = String(request.params['token']);
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
    await give(answer, { token, response, stop: hangUpSignal(response, closing) });
  };
  router.all('/:token/callback', receive);
  router.all('/:token/redirected', receive);
  return router;
}

async function give(
  answer: ReceiverAnswer,
  { token, response, stop }: { token: string; response: Response; stop: AbortSignal },
): Promise<void> {
  switch (answer) {
    case 'hang':
      await fired(stop);
      response.destroy();
      return;
    case 'redirect':
      return response.redirect(302, `/__receiver/${token}/redirected`);
    case 'endless':
      response.writeHead(200, { 'content-type': 'text/plain' });
      await pour(response, { totalBytes: ENDLESS_BYTES, stop });
      response.end();
      return;
    case 'reset':
      response.req.socket.resetAndDestroy();
      return;
    default:
      response.status(answer).json({ received: answer < 300 });
  }
}
