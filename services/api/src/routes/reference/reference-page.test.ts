import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { ServedOperation } from '@mediagate/api-contract';
import type { Exchange } from '../../http/exchange';
import { CallerLeftError } from '../../use-cases/caller-connection';
import { getReferenceScript } from './reference-page';

it('a reader of the script who hangs up is no fault of the service', async () => {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  const sent = getReferenceScript({ request, response } as unknown as Exchange, {} as ServedOperation);
  response.destroy();
  await expect(sent).rejects.toBeInstanceOf(CallerLeftError);
});
