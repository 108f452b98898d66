import type { SeenAnswer } from '@mediagate/testkit';
import type { Express, Response } from 'express';

const bodies = new WeakMap<Response, Buffer[]>();

/** Shows every answer that the application ends, to any caller; an answer that is cut off does not count. */
export function seeAnswers(app: Express, see: (answer: SeenAnswer) => void): void {
  const { write, end } = app.response;
  app.response.write = function seenWrite(this: Response, ...args: unknown[]): boolean {
    keep(this, args[0], args[1]);
    return Reflect.apply(write, this, args);
  };
  app.response.end = function seenEnd(this: Response, ...args: unknown[]): Response {
    keep(this, args[0], args[1]);
    const ended = Reflect.apply(end, this, args);
    see(answerOf(this));
    return ended;
  };
}

function keep(response: Response, chunk: unknown, encoding: unknown): void {
  if (!isJson(response) || !(typeof chunk === 'string' || chunk instanceof Uint8Array)) return;
  const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encodingOf(encoding)) : Buffer.from(chunk);
  bodies.set(response, [...(bodies.get(response) ?? []), bytes]);
}

function encodingOf(encoding: unknown): BufferEncoding {
  return typeof encoding === 'string' && Buffer.isEncoding(encoding) ? encoding : 'utf8';
}

function answerOf(response: Response): SeenAnswer {
  const { req: request, statusCode: status } = response;
  const seen = { method: request.method, url: request.originalUrl, status, headers: response.getHeaders() };
  const body = bodies.get(response);
  return isJson(response) && body ? { ...seen, text: Buffer.concat(body).toString('utf8') } : seen;
}

function isJson(response: Response): boolean {
  return String(response.getHeader('content-type')).startsWith('application/json');
}
