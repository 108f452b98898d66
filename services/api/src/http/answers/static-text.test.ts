import { randomBytes } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { CallerLeftError } from '../../use-cases/caller-connection';
import type { Exchange } from '../exchange';
import { StaticText } from './static-text';

it('a reader who hangs up is no fault of the service', async () => {
  const request = Object.assign(new IncomingMessage(new Socket()), { acceptsEncodings: () => false });
  const response = new ServerResponse(request);
  const text = new StaticText('text/plain', async () => Buffer.alloc(1_000_000));
  await text.digest();
  const sent = text.send({ request, response } as unknown as Exchange, {});
  response.destroy();
  await expect(sent).rejects.toBeInstanceOf(CallerLeftError);
});

it('its digest does not wait until it is compressed', async () => {
  const order: string[] = [];
  const request = Object.assign(new IncomingMessage(new Socket()), { acceptsEncodings: () => 'br' });
  const response = new ServerResponse(request);
  const text = new StaticText('text/plain', async () => randomBytes(4_000_000));
  const sent = text.send({ request, response } as unknown as Exchange, {}).then(() => order.push('sent'));
  await Promise.all([sent, text.digest().then(() => order.push('digest'))]);
  expect(order).toEqual(['digest', 'sent']);
});

it('a text that cannot be loaded is the fault of those who ask, not of the process', async () => {
  const text = new StaticText('text/plain', () => Promise.reject(new Error('no such file')));
  await expect(text.digest()).rejects.toThrow('no such file');
});

it('is read and compressed once, whoever asks', async () => {
  const load = jest.fn(async () => Buffer.from('text'));
  const text = new StaticText('text/plain', load);
  expect(new Set(await Promise.all([text.digest(), text.digest()])).size).toBe(1);
  expect(load).toHaveBeenCalledTimes(1);
});
